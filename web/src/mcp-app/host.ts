// The host of a chat, as the page in it sees it: JSON-RPC in messages between frames (MCP Apps, 2026-01-26).

const VERSION = "2026-01-26";
/** An answer that never comes is told of after this long, and a host that never says anything after that. */
const PATIENCE = 45_000;
const FIRST_PATIENCE = 90_000;

export interface HostContext {
  theme?: "light" | "dark";
  displayMode?: string;
  availableDisplayModes?: string[];
  styles?: { variables?: Record<string, string | undefined> };
  containerDimensions?: { height?: number };
}

export interface Capabilities {
  openLinks?: object;
  serverTools?: object;
  serverResources?: object;
}

export interface ToolResult {
  content?: { type: string; text?: string; data?: string; mimeType?: string }[];
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

export interface Listener {
  context(changed: HostContext): void;
  result(result: ToolResult): void;
  cancelled(reason: string): void;
}

interface Message {
  jsonrpc?: unknown;
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message?: unknown };
}

const waiting = new Map<number, { done(value: Record<string, unknown>): void; failed(error: Error): void }>();
let count = 0;

const post = (message: object): void => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

export const tell = (method: string, params: object = {}): void => post({ method, params });

/** Ask the host, or through it the server. Fails with the words of who answered, or of us where nobody did. */
export function ask<Answer>(method: string, params: object, patience = PATIENCE): Promise<Answer> {
  const id = ++count;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle().failed(new Error("No answer came from the server.")), patience);
    const settle = () => {
      clearTimeout(timer);
      waiting.delete(id);
      return { failed: reject };
    };
    waiting.set(id, {
      done: (value) => (settle(), resolve(value as Answer)),
      failed: (error) => settle().failed(error),
    });
    post({ id, method, params });
  });
}

function answered(message: Message): void {
  const asked = waiting.get(message.id as number);
  if (message.error) asked?.failed(new Error(String(message.error.message ?? "The host could not do it.")));
  else asked?.done(message.result ?? {});
}

/** What the host asks of us: whether we live, and to end, for which there is nothing to put away. */
function requested(message: Message): void {
  if (message.method === "ping" || message.method === "ui/resource-teardown") post({ id: message.id, result: {} });
  else post({ id: message.id, error: { code: -32601, message: "Method not found" } });
}

/** Begin to listen to the frame around, and to nobody else, and say what we are. */
export async function connect(listener: Listener): Promise<Capabilities> {
  const told: Record<string, (params: Record<string, unknown>) => void> = {
    "ui/notifications/tool-result": (params) => listener.result(params as ToolResult),
    "ui/notifications/tool-cancelled": (params) => listener.cancelled(String(params.reason ?? "")),
    "ui/notifications/host-context-changed": (params) => listener.context(params as HostContext),
  };
  window.addEventListener("message", ({ source, data }: MessageEvent<Message | null>) => {
    if (source !== window.parent || data?.jsonrpc !== "2.0") return;
    if (!data.method) answered(data);
    else if (data.id !== undefined) requested(data);
    else told[data.method]?.(data.params ?? {});
  });
  const about = {
    appInfo: { name: "octavo", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    protocolVersion: VERSION,
  };
  const found = await ask<{ hostCapabilities?: Capabilities; hostContext?: HostContext }>("ui/initialize", about, FIRST_PATIENCE);
  listener.context(found.hostContext ?? {});
  tell("ui/notifications/initialized");
  return found.hostCapabilities ?? {};
}
