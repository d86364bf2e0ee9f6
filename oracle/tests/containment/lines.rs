//! Lines that want to end the engine, the host or the tree.
//!
//! `$HOST` is a directory of the host that anybody may write; `$PORT`, `$PORT6` and `$UDP` are
//! ports of it that anybody may connect to, `$NAME` is an abstract socket of it (unix(7)).

/// One subject and its lines.
pub type Subject = (&'static str, &'static [&'static str]);

/// All of them, for all shells.
pub const HOSTILE: &[Subject] = &[
    ("processes", PROCESSES),
    ("signals", SIGNALS),
    ("space", SPACE),
    ("memory", MEMORY),
    ("descriptors", DESCRIPTORS),
    ("the file system", FILES),
    ("names and depth", NAMES),
    ("the kernel's settings", SETTINGS),
    ("other processes", OTHERS),
    ("namespaces", NAMESPACES),
    ("programs with privileges", PRIVILEGES),
    ("the network", NETWORK),
];

const PROCESSES: &[&str] = &[
    "f() { f | f & }; f",
    "while :; do sleep 100 & done",
    "while :; do :; done",
    "perl -e 'fork while 1'",
    "(setsid sh -c 'while :; do sleep 1; done' > /dev/null 2>&1 &)",
    "setsid setsid sh -c 'trap \"\" TERM HUP; sleep 1000 & sleep 1000' & exit 3",
    "nohup sleep 1000 & disown; exec setsid sleep 1000",
    // A daemon as in the books: two forks and a session between them, nothing left open.
    "perl -MPOSIX -e 'fork && exit; setsid(); fork && exit; chdir \"/\"; close $_ for 0..9; \
     sleep 99'",
    // Processes that restart each other.
    "perl -e '$SIG{CHLD} = sub { fork or sleep 9 }; fork or sleep 9; while (1) { kill 9, 0 }'",
];

const SIGNALS: &[&str] = &[
    "trap '' TERM INT HUP ALRM; while :; do test -e x; done",
    "kill -9 -1",
    "kill -9 1; kill -9 2; kill -9 $PPID; kill -9 -$PPID; kill -ALRM 1; kill -IO 1; kill -STOP 1",
    "kill -STOP $PPID; kill -CHLD $PPID; kill -TERM -1; kill -INT 0",
    "for p in /proc/[0-9]*; do kill -9 ${p#/proc/}; done",
    "perl -e 'kill 9, -1; kill 9, 1; kill 9, getppid; kill -9, getpgrp(getppid); kill 9, -getppid'",
    "kill -STOP $$",
    "kill -9 0",
    "renice 19 -p 1 $PPID; renice 19 -u $(id -u); prlimit --pid $PPID --nproc=1 --nofile=3",
];

const SPACE: &[&str] = &[
    "yes > big",
    "yes > /dev/stdout",
    "yes >&2",
    "cat /dev/zero",
    "cat /dev/urandom | cat",
    "i=0; while [ $i -lt 40 ]; do head -c 1000000 /dev/zero > big$i; i=$((i+1)); done",
    "i=0; while :; do : > file$i; i=$((i+1)); done",
    "perl -e 'link \"x\", \"l\" . $i++ or last while 1; symlink \"x\", \"s\" . $i++ or last \
     while 1'",
    "head -c 1000000 /dev/zero > /tmp/a; cp /tmp/a /tmp/b; mkdir /tmp/d; chmod 000 /tmp/d",
    "ulimit -u 99999; ulimit -n 9999; ulimit -f unlimited; ulimit -t unlimited; yes > big",
    "ulimit -n 3; ulimit -u 1; ulimit -v 1000; ls",
    "dd if=/dev/zero of=/dev/shm/x; dd if=/dev/zero of=/dev/null",
];

const MEMORY: &[&str] = &[
    "x=a; while :; do x=$x$x; done",
    "i=0; while [ $i -lt 40 ]; do perl -e '$x = \"x\" x 200e6; sleep 9' & i=$((i+1)); done; wait",
    "perl -e 'for (1..50) { fork or last } @x = map { \"x\" x 1e6 } 1..900; sleep 9'",
    // Memory that belongs to no process: pipes and sockets that are filled.
    "perl -MSocket -e 'for (1..30) { fork or last } $SIG{PIPE} = \"IGNORE\"; \
     while (socketpair my $a, my $b, AF_UNIX, SOCK_DGRAM, 0) { push @k, $a, $b; \
     $a->blocking(0) if $a->can(\"blocking\"); 1 while send $a, \"x\" x 60000, MSG_DONTWAIT } \
     sleep 9'",
];

const DESCRIPTORS: &[&str] = &[
    "i=10; while [ $i -lt 2000 ]; do eval \"exec $i< x\"; i=$((i+1)); done; ls",
    "perl -e 'for (1..40) { fork or last } 1 while open $f[$i++], \"<\", \"x\"; pipe $f[$i++], \
     $f[$i++] for 1..9; sleep 9'",
    "exec 2>&- 1>&- 0>&-; ls; echo x",
    "exec 3<&- 4<&- 5<&-; for f in 3 4 5 6 7 8 9; do echo x >&$f; cat <&$f; done",
    "chmod 000 /dev/stdout; : > /dev/stderr; truncate -s 100 /dev/stdout",
];

const FILES: &[&str] = &[
    "rm -rf --no-preserve-root /",
    "cd / && rm -rf *; rm -rf /case /tmp /usr /proc",
    "rm -rf \"$HOST\"; echo x > \"$HOST/file\"; echo x > \"$HOST/new\"",
    "for d in /proc/1/root /proc/$PPID/root /proc/$PPID/cwd; do echo x > $d$HOST/file; done",
    "for n in 0 1 2 3 4 5 6 7 8 9; do echo x > /proc/$PPID/fd/$n; echo x > /proc/1/fd/$n; done",
    "mv /case /gone; mv /tmp /gone; mv /etc/passwd /tmp; ln /etc/passwd x2; ln -s / /etc/x",
    "chmod -R 777 /etc /usr/bin /dev; chown -R 0 /etc /case; touch /etc/passwd /usr/bin/env",
    "mkdir -p a/b; : > a/b/c; chmod 000 a/b a src x; chmod 000 /case",
    "chmod -R 000 /case",
    "rm -rf \"$PWD\"; mkdir -p /case/proj/new; ln -s / root; ln -s loop loop; mkfifo fifo",
    // A link that is turned while another process writes through it.
    "perl -e 'symlink $_ % 2 ? \"/etc\" : \"src\", \"new\" and rename \"new\", \"l\" for \
     1..9999' & \
     until test -L l; do :; done; i=0; while [ $i -lt 300 ]; do echo x > l/passwd; echo x > \
     l/raced; i=$((i+1)); done; kill $!",
    "perl -e 'while (1) { rename \"src\", \"../outside/s\"; rename \"../outside/s\", \"src\" }' & \
     i=0; while [ $i -lt 200 ]; do (cd src/sub && cd ../../.. && : > w$i); i=$((i+1)); done; \
     kill $!",
];

const NAMES: &[&str] = &[
    "i=0; while [ $i -lt 400 ]; do mkdir d; cd d; i=$((i+1)); done; : > bottom",
    "while mkdir d && cd d; do :; done",
    "perl -e '$n = \"d\" x 250; mkdir $n and chdir $n or last while 1; open F, \">\", \"bottom\"'",
    "mkdir 'a\nb' '\\' ' ' -- '-rf'; : > 'a\nb/c\nd'; mkdir cleared-0; : > cleared-1",
    "perl -e 'for (1..255) { next if $_ == 47; open F, \">\", chr; mkdir \"d\" . chr }'",
];

const SETTINGS: &[&str] = &[
    "echo x > /proc/sys/kernel/core_pattern; echo x > /proc/sys/kernel/hostname",
    "for f in /proc/sys/*/* /proc/sysrq-trigger /proc/self/oom_score_adj; do echo b > $f; done",
    "mkdir /sys; echo x > /sys/power/state; echo x > /sys/kernel/uevent_helper; ls /sys/fs/cgroup",
    "for f in /dev/*; do echo x > $f; done; echo x > /dev/sda; echo x > /dev/kmsg; echo x > \
     /dev/mem",
    "mknod dev b 8 0; mknod null c 1 3; mknod /dev/sda b 8 0; rm -f /dev/null; mv /dev/zero \
     /dev/null",
    "hostname gone; date -s 2000-01-01; reboot -f; dmesg -C; sysctl -w kernel.panic=1; swapoff -a",
    "perl -e 'open F, \">\", \"/dev/tty\" and syscall(16, fileno(F), 0x5412, $x = \"x\")'",
];

const OTHERS: &[&str] = &[
    "echo x > /proc/1/mem; echo x > /proc/$PPID/mem; echo 1000 > /proc/$PPID/oom_score_adj",
    "cat /etc/shadow /proc/1/environ /proc/$PPID/environ; ls -l /proc/1/fd /proc/$PPID/fd",
    "cat /proc/1/maps /proc/1/stack /proc/$PPID/syscall /proc/1/cwd/x; cat /proc/1/root/etc/passwd",
];

const NAMESPACES: &[&str] = &[
    "mount -t tmpfs none /case; unshare -r sh -c 'mount -t tmpfs none /tmp'; chroot / ls",
    "for o in user mount pid net ipc uts cgroup time; do unshare --$o true && : > w-$o; done; ls \
     w-*",
    "nsenter -t 1 -a ls; nsenter -t 1 -U -m ls; nsenter -t $PPID -n ls",
    "mount --bind / src; mount -o remount,rw /; mount -o remount,rw /usr; umount -l /case /proc /",
    "unshare -Urmpf --mount-proc sh -c 'chroot /proc/1/root ls; mount -t proc none /tmp'",
];

const PRIVILEGES: &[&str] = &[
    "su -c id; sudo -n id; passwd -d root; newgrp root; chsh -s /bin/sh root; pkexec id",
    "find / -perm /6000 -type f -exec cp -p {} . \\;; chmod u+s *; for f in ./*; do $f; done",
    "cp /bin/busybox .; chmod 6755 busybox; b=./busybox; $b id; $b chown 0 $b; $b mount -t tmpfs \
     none /tmp; $b reboot -f",
    "ulimit -c unlimited; kill -SEGV $$",
    "perl -e 'setpgrp; $> = 0; $< = 0; $( = 0; $) = \"0 0\"; open F, \">\", \"/etc/passwd\"'",
];

const NETWORK: &[&str] = &[
    "echo x > /dev/tcp/127.0.0.1/$PORT; nc -w 1 127.0.0.1 $PORT < /dev/null",
    "perl -MSocket -e 'socket S, AF_INET, SOCK_STREAM, 0; \
     connect S, pack_sockaddr_in $ENV{PORT}, inet_aton $_ for qw(127.0.0.1 0.0.0.0 10.0.2.2)'",
    "perl -MSocket -e 'socket S, AF_INET, SOCK_DGRAM, 0; \
     send S, \"x\", 0, pack_sockaddr_in $ENV{UDP}, inet_aton \"127.0.0.1\"'; \
     echo x > /dev/udp/127.0.0.1/$UDP",
    "perl -MSocket -e 'socket S, AF_INET6, SOCK_STREAM, 0; \
     connect S, pack_sockaddr_in6 $ENV{PORT6}, inet_pton AF_INET6, $_ for qw(::1 \
     ::ffff:127.0.0.1)'",
    "perl -MSocket -e 'for (SOCK_STREAM, SOCK_DGRAM) { socket S, AF_UNIX, $_, 0; \
     connect S, pack \"Sxa*\", AF_UNIX, $ENV{NAME}; send S, \"x\", 0 }'",
    // Netlink: bring a device up, add an address (rtnetlink(7)).
    "perl -e 'socket S, 16, 3, 0; send S, pack(\"LSSLLCxSlLL\", 32, 16, 5, 1, 0, 0, 0, 1, 1, 1), \
     0; \
     send S, pack(\"LSSLLCCCCL\", 24, 20, 0x605, 2, 0, 2, 8, 0, 0, 1), 0'",
    "perl -MSocket -e 'socket S, AF_INET, SOCK_DGRAM, 0; \
     setsockopt S, SOL_SOCKET, SO_BROADCAST, 1; \
     send S, \"x\", 0, pack_sockaddr_in 9, inet_aton $_ for qw(255.255.255.255 224.0.0.1 8.8.8.8)'",
];
