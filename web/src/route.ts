// Addresses: every state worth keeping has a permalink, and the server prints the same one without scripts.
import { short } from "./api";
import { address, type Address } from "./state";

export function parse(pathname: string): Address {
  const [, kind, id, number] = pathname.split("/");
  const told = id ? decodeURIComponent(id) : "";
  if (kind === "d" && told) return { kind: "page", document: told, page: Math.max(1, Number(number) || 1) };
  if (kind === "c" && told) return { kind: "citation", id: told };
  if (kind === "t") return { kind: "table" };
  if (kind === "a" && told) return { kind: "answer", id: told };
  return { kind: "library" };
}

export function url(to: Address): string {
  switch (to.kind) {
    case "page":
      return `/d/${encodeURIComponent(short(to.document))}/${to.page}`;
    case "citation":
      return `/c/${encodeURIComponent(to.id)}`;
    case "answer":
      return `/a/${encodeURIComponent(to.id)}`;
    case "table":
      return "/t";
    default:
      return "/";
  }
}

/** Show an address in the address bar. Replaces the present one where it differs in nothing but the page scrolled to. */
export function record(to: Address, replace = false): void {
  const made = url(to);
  address.value = to;
  if (made === location.pathname) return;
  if (replace) history.replaceState(null, "", made);
  else history.pushState(null, "", made);
}
