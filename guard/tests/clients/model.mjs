// A model that knows one thing: it asks its client to run a shell line, once, and is done when the
// output comes back. It speaks the four protocols that the clients speak, on the loopback device.
//
// node model.mjs PORT LINE LOG: that it asks, or that there is no tool for it, and what comes back is
// appended to LOG.
import { createServer } from "node:http"
import { appendFileSync } from "node:fs"

const [port, line, log] = process.argv.slice(2)

// Each protocol: the URL, does a request bring the output, the shell tool in it if it has one (titles
// are asked for without tools), and the answers.
const protocols = [
  {
    // Anthropic's messages: claude.
    url: /\/v1\/messages(\?|$)/,
    outputs: (request) => request.messages.flatMap((it) => it.content)
      .filter((part) => part.type === "tool_result"),
    shell: (request) => request.tools?.map((tool) => tool.name).find((name) => name === "Bash"),
    call: (name) => messages("tool_use", { type: "tool_use", id: "toolu_1", name, input: {} }, {
      type: "input_json_delta", partial_json: JSON.stringify({ command: line, description: "x" }),
    }),
    text: () => messages("end_turn", { type: "text", text: "" },
      { type: "text_delta", text: "done" }),
  },
  {
    // OpenAI's responses: codex.
    url: /\/responses/,
    outputs: (request) => request.input.filter((item) => item.type === "function_call_output"),
    shell: () => "exec_command",
    call: (name) => responses({
      type: "function_call", id: "f", call_id: "c", name,
      arguments: JSON.stringify({ cmd: line }),
    }),
    text: () => responses({
      type: "message", role: "assistant", id: "m", content: [{ type: "output_text", text: "done" }],
    }),
  },
  {
    // OpenAI's completions: opencode, qwen.
    url: /\/chat\/completions/,
    outputs: (request) => request.messages.filter((message) => message.role === "tool"),
    shell: (request) => request.tools?.map((tool) => tool.function?.name)
      .find((name) => name === "bash" || name === "run_shell_command"),
    call: (name) => completions("tool_calls", {
      tool_calls: [{
        index: 0, id: "c", type: "function", function: { name, arguments: JSON.stringify(
          { command: line, description: "x", is_background: false }) },
      }],
    }),
    text: () => completions("stop", { content: "done" }),
  },
  {
    // Google's: gemini.
    url: /generateContent/i,
    outputs: (request) =>
      request.contents.flatMap((it) => it.parts).filter((part) => part.functionResponse),
    shell: (request) =>
      JSON.stringify(request.tools ?? "").includes("run_shell_command") && "run_shell_command",
    call: (name) => content({ functionCall: { name, args: { command: line } } }),
    text: () => content({ text: "done" }),
  },
]

function messages(reason, block, delta) {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = {
    id: "msg_1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null,
    stop_sequence: null, usage,
  }
  return [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ]
}

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
    const shell = !outputs.length && protocol.shell(asked)
    appendFileSync(log, shell ? "called\n" : outputs.length ? "" : "no tool\n")
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const event of shell ? protocol.call(shell) : protocol.text()) {
      if (event.type) response.write(`event: ${event.type}\n`)
      response.write(`data: ${JSON.stringify(event)}\n\n`)
    }
    response.end()
  })
}).listen(Number(port), "127.0.0.1")
