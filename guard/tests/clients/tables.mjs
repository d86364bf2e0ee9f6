// The tables of docs/hooks.md about real clients, from what was seen of them.
//
// node tables.mjs RESULTS PAGE: prints the rows of the clients in RESULTS, a line
// `client|version|hook|asks|line|became` each; fails if one is not in PAGE as it is.
import { readFileSync } from "node:fs"

const [results, page] = process.argv.slice(2).map((path) => readFileSync(path, "utf8"))
const seen = results.trimEnd().split("\n").map((line) => line.split("|"))

const names = {
  claude: "Claude Code", codex: "Codex", gemini: "Gemini CLI", opencode: "OpenCode",
  qwen: "Qwen Code",
}
// How each was started for the second table.
const started = {
  claude: "`--print`", codex: "`exec`, `on-request`", gemini: "`--prompt`",
  opencode: '`run`, `"bash": "ask"`', qwen: "`--prompt`",
}

// What became of a line; bold where a guard would have had it otherwise.
function cell(client, hook, asks, line) {
  const [, version, , , , became] =
    seen.find((it) => it.slice(0, 1).concat(it.slice(2, 5)).join() === [client, hook, asks, line].join())
  if (became === "not offered") return "the model has no shell"
  const unwanted = hook !== "none" && line !== "allowed" && line !== "placed" && asks !== "accepts"
  return unwanted || hook === "untrusted" ? became.replace(/^ran/, "**ran**") : became
}

function row(cells) {
  return `| ${cells.join(" | ")} |`
}

const versions = new Map(seen.map(([client, version]) => [client, version]))
const never = [["works", "allowed"], ["works", "asked"], ["works", "denied"], ["missing", "denied"],
  ["dies", "denied"], ["hangs", "denied"]]
const asks = [["none", "allowed"], ["works", "allowed"], ["works", "asked"], ["works", "denied"]]
const rows = []
for (const [client, version] of versions) {
  const cells = never.map(([hook, line]) => cell(client, hook, "never", line))
  rows.push(row([`${names[client]} ${version}`, ...cells]))
}
for (const [client, version] of versions) {
  const cells = asks.map(([hook, line]) => cell(client, hook, "asks", line))
  rows.push(row([`${names[client]} ${version} (${started[client]})`, ...cells]))
}
if (versions.has("codex")) {
  const of = (...key) => cell("codex", ...key)
  rows.push(
    row(["allowed, and says where it runs", "declines", of("none", "declines", "placed"),
      of("works", "declines", "placed")]),
    row(["asked", "declines", "", of("works", "declines", "asked")]),
    row(["asked", "accepts", "", of("works", "accepts", "asked")]),
    row(["denied", "accepts", "", of("works", "accepts", "denied")]),
    row(["denied, the hook not trusted", "accepts", "", of("untrusted", "accepts", "denied")]),
  )
}
const lines = new Set(page.split("\n"))
let differ = 0
for (const it of rows) {
  const known = lines.has(it)
  differ += known ? 0 : 1
  console.log(known ? it : `${it}  <- not so in the page`)
}
process.exit(differ ? 1 : 0)
