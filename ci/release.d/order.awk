# What callgrind has written, one file a run → weight, first call, name of every function. What a
# batch calls is only there for what a hook calls without valgrind.

FNR == 1 { split("", seen) }

/^c?fn=\([0-9]+\) / {
  name = $0
  sub(/^c?fn=\([0-9]+\) /, "", name)
  sub(/'[0-9]+$/, "", name)             # the depth of a recursion
  if (name ~ /^0x/ || name in seen) next
  seen[name]
  if (!(name in first)) first[name] = ++all
  weight[name] += FILENAME ~ /calls\.hook/ ? 100 : 1
}

END {
  # Assembler has no sizes, by which callgrind knows its functions.
  split("_start memcpy memmove memset", unsized)
  for (at in unsized) printf "999999\t0\t%s\n", unsized[at]
  for (name in first) printf "%d\t%d\t%s\n", weight[name], first[name], name
}
