// A person in front of Codex: drives its `app-server` over standard input and output, and gives
// every question for permission the same answer.
//
// node app-server.mjs trust              tells it to trust the hooks that it finds, as /hooks does
// node app-server.mjs accept|decline LOG one turn; that a question came is appended to LOG
import { spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
import { createInterface } from "node:readline"

const [what, log] = process.argv.slice(2)
const cwd = process.cwd()
const server = spawn("codex", ["app-server"], { stdio: ["pipe", "pipe", "inherit"] })
const answers = new Map()
let last = 0

function say(message) {
  server.stdin.write(JSON.stringify(message) + "\n")
}

function ask(method, params) {
  say({ id: ++last, method, params })
  return new Promise((resolve, reject) => answers.set(last, { resolve, reject }))
}

function heard(message) {
  if (message.method === "item/commandExecution/requestApproval") {
    appendFileSync(log, "asked\n")
    say({ id: message.id, result: { decision: what } })
  } else if (message.method === "turn/completed") {
    server.kill()
  } else if (!message.method) {
    const { resolve, reject } = answers.get(message.id)
    message.error ? reject(new Error(JSON.stringify(message.error))) : resolve(message.result)
  }
}

async function trust() {
  const { data: [{ hooks }] } = await ask("hooks/list", { cwds: [cwd] })
  const state = hooks.map((hook) => [hook.key, { trusted_hash: hook.currentHash }])
  await ask("config/value/write", {
    keyPath: "hooks.state", value: Object.fromEntries(state), mergeStrategy: "upsert",
  })
  const { data: [{ hooks: now }] } = await ask("hooks/list", { cwds: [cwd] })
  if (now.some((hook) => hook.trustStatus !== "trusted")) throw new Error(JSON.stringify(now))
  server.kill()
}

async function turn() {
  const policy = { cwd, approvalPolicy: "untrusted", sandbox: "workspace-write" }
  const { thread } = await ask("thread/start", policy)
  await ask("turn/start", { threadId: thread.id, input: [{ type: "text", text: "go" }] })
}

createInterface({ input: server.stdout }).on("line", (line) => {
  console.log(line)
  heard(JSON.parse(line))
})
await ask("initialize", { clientInfo: { name: "shfence-test", version: "1" } })
say({ method: "initialized" })
await (what === "trust" ? trust() : turn())
