// A model that knows one thing: it asks its client to run a shell line, once, and is done when the
// output comes back. It speaks the three protocols that the clients speak, on the loopback device.
//
// node model.mjs PORT LINE LOG: what comes back is appended to LOG.
import { createServer } from "node:http"
import { appendFileSync } from "node:fs"

const [port, line, log] = process.argv.slice(2)

// Each protocol: the URL, does a request bring the output, has it the shell tool (titles are asked
// for without tools), and the answers.
const protocols = [
  {
    // OpenAI's responses: codex.
    url: /\/responses/,
    outputs: (request) => request.input.filter((item) => item.type === "function_call_output"),
    hasShell: () => true,
    call: () => responses({
      type: "function_call", id: "f", call_id: "c", name: "exec_command",
      arguments: JSON.stringify({ cmd: line }),
    }),
    text: () => responses({
      type: "message", role: "assistant", id: "m", content: [{ type: "output_text", text: "done" }],
    }),
  },
  {
    // OpenAI's completions: opencode.
    url: /\/chat\/completions/,
    outputs: (request) => request.messages.filter((message) => message.role === "tool"),
    hasShell: (request) => (request.tools ?? []).some((tool) => tool.function?.name === "bash"),
    call: () => completions("tool_calls", {
      tool_calls: [{
        index: 0, id: "c", type: "function",
        function: { name: "bash", arguments: JSON.stringify({ command: line, description: "x" }) },
      }],
    }),
    text: () => completions("stop", { content: "done" }),
  },
  {
    // Google's: gemini.
    url: /generateContent/i,
    outputs: (request) =>
      request.contents.flatMap((it) => it.parts).filter((part) => part.functionResponse),
    hasShell: (request) => JSON.stringify(request.tools ?? "").includes("run_shell_command"),
    call: () => content({ functionCall: { name: "run_shell_command", args: { command: line } } }),
    text: () => content({ text: "done" }),
  },
]

function responses(item) {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  return [
    { type: "response.created", response: { id: "r" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: "r", usage } },
  ]
}

function completions(reason, delta) {
  const chunk = (choice) =>
    ({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [choice] })
  return [
    chunk({ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }),
    chunk({ index: 0, delta: {}, finish_reason: reason }),
  ]
}

function content(part) {
  const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }
  return [{ candidates: [candidate] }]
}

createServer((request, response) => {
  const chunks = []
  request.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
    const protocol = protocols.find((it) => it.url.test(request.url))
    if (!protocol) return response.writeHead(404).end()
    const asked = JSON.parse(Buffer.concat(chunks))
    const outputs = protocol.outputs(asked)
    if (outputs.length) appendFileSync(log, JSON.stringify(outputs) + "\n")
    const calls = !outputs.length && protocol.hasShell(asked)
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const event of calls ? protocol.call() : protocol.text()) {
      if (event.type) response.write(`event: ${event.type}\n`)
      response.write(`data: ${JSON.stringify(event)}\n\n`)
    }
    response.end()
  })
}).listen(Number(port), "127.0.0.1")
