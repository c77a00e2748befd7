// A chat that shows a tool's page, put together from the reference package as its basic host is: the page stands in a frame
// without rights of its own, within a frame of another origin. Who looks on calls the server (`window.server`).
import { AppBridge, PostMessageTransport, type McpUiHostContext } from "@modelcontextprotocol/ext-apps/app-bridge";

interface Host {
  capabilities: ConstructorParameters<typeof AppBridge>[2];
  context: McpUiHostContext;
  html: string;
  csp: object;
}

declare global {
  interface Window {
    server(method: string, params: object): Promise<string>;
    chat: { show(host: Host): Promise<void>; bridge: AppBridge; opened: string[]; sizes: number[] };
  }
}

const frame = document.querySelector("iframe")!;

/** What the server gives, or its error, which the bridge passes on. */
async function passed(method: string, params: object): Promise<never> {
  const told = JSON.parse(await window.server(method, params)) as { result?: never; error?: string };
  if (told.error) throw new Error(told.error);
  return told.result!;
}

async function show({ capabilities, context, html, csp }: Host): Promise<void> {
  const isReady = new Promise<void>((resolve) => {
    addEventListener("message", ({ source, data }) => {
      if (source === frame.contentWindow && data?.method === "ui/notifications/sandbox-proxy-ready") resolve();
    });
  });
  frame.src = "http://sandbox.test/";
  await isReady;
  const bridge = new AppBridge(null, { name: "a chat", version: "1" }, capabilities, { hostContext: context });
  window.chat.bridge = bridge;
  bridge.oncalltool = (params) => passed("tools/call", params);
  bridge.onreadresource = (params) => passed("resources/read", params);
  bridge.onopenlink = async ({ url }) => (window.chat.opened.push(url), {});
  bridge.onrequestdisplaymode = async ({ mode }) => (bridge.setHostContext({ ...context, displayMode: mode }), { mode });
  bridge.onsizechange = ({ height }) => {
    window.chat.sizes.push(height ?? 0);
    if (height) frame.style.height = `${height}px`;
  };
  const initialized = new Promise<void>((resolve) => (bridge.oninitialized = () => resolve()));
  await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
  await bridge.sendSandboxResourceReady({ html, csp });
  await initialized;
}

window.chat = { show, bridge: null!, opened: [], sizes: [] };
