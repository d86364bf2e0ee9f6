# What callgrind has written, one file a run → runs, first call, name of every function.

FNR == 1 { split("", seen) }

/^c?fn=\([0-9]+\) / {
  name = $0
  sub(/^c?fn=\([0-9]+\) /, "", name)
  sub(/'[0-9]+$/, "", name)             # the depth of a recursion
  if (name ~ /^0x/ || name in seen) next
  seen[name]
  if (!(name in first)) first[name] = ++all
  runs[name]++
}

END { for (name in first) printf "%d\t%d\t%s\n", runs[name], first[name], name }
