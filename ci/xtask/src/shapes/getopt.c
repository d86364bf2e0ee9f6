/* Loaded before libc: prints what a program tells getopt(3) about its options and ends it there,
   before it has done anything. One line per fact, fields separated by tabs:
     short  STRING                  the short options, as getopt(3) takes them
     long   NAME  ARITY  LETTER     has_arg, and the letter it stands for, or -  */
#include <stdio.h>
#include <unistd.h>

struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};

/* So that a program that failed by itself is not taken for one that answered. */
enum { ANSWERED = 99 };

static int tell(const char *shorts, const struct option *longs) {
  printf("short\t%s\n", shorts ? shorts : "");
  for (; longs && longs->name; longs++) {
    int letter = !longs->flag && longs->val > ' ' && longs->val < 127 ? longs->val : '-';
    printf("long\t%s\t%d\t%c\n", longs->name, longs->has_arg, letter);
  }
  fflush(stdout);
  _exit(ANSWERED);
}

int getopt(int argc, char *const argv[], const char *shorts) {
  (void)argc, (void)argv;
  return tell(shorts, 0);
}

int __posix_getopt(int argc, char *const argv[], const char *shorts) {
  (void)argc, (void)argv;
  return tell(shorts, 0);
}

int getopt_long(int argc, char *const argv[], const char *shorts, const struct option *longs,
                int *at) {
  (void)argc, (void)argv, (void)at;
  return tell(shorts, longs);
}

int getopt_long_only(int argc, char *const argv[], const char *shorts, const struct option *longs,
                     int *at) {
  (void)argc, (void)argv, (void)at;
  return tell(shorts, longs);
}
