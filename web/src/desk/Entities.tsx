// Entities of a document and a graph of what is related to one of them; where they are not there, how to have them.
import { useEffect, useMemo, useState } from "preact/hooks";
import { get, path, post, Problem, short } from "../api";
import { goPage, noticed } from "../reading";
import { dialog, isPhone, prefersStill } from "../state";
import type { Document, EntityLayer, EntityRow, Graph } from "../types";
import { copy } from "../ui/copy";
import { Modal } from "../ui/dialog";
import { calledOf } from "../words";
import { digits, number, plural, t } from "../wording";

/** Types of what is no thing or person: left out of the list and the graph until they are asked for. */
const VALUES = new Set(["date", "quantity", "number", "label"]);

/** As much of a graph as is drawn: without the values around its middle, unless they are wanted or all there is. */
function shownOf(graph: Graph, middle: string, most: number, hasValues: boolean): Graph {
  const things = graph.nodes.filter((one) => hasValues || one.id === middle || !VALUES.has(one.type));
  const nodes = (things.length > 1 ? things : graph.nodes).slice(0, most);
  const ids = new Set(nodes.map((one) => one.id));
  return { ...graph, nodes, edges: graph.edges.filter((one) => ids.has(one.source) && ids.has(one.target)) };
}

export function Entities({ document: one }: { document: Document }) {
  const [layer, setLayer] = useState<EntityLayer | Problem | null>(null);
  const [entity, setEntity] = useState<string | null>(null);
  const [text, setText] = useState("");
  const [hasValues, setHasValues] = useState(false);
  const load = async (): Promise<boolean> => {
    try {
      const found = await get<EntityLayer>(path`/v1/documents/${short(one.id)}/layers/entities` + "?limit=200");
      setLayer(found);
      setEntity((found.rows.find((row) => !VALUES.has(row.type)) ?? found.rows[0])?.id ?? null);
      return found.is_built;
    } catch (error) {
      setLayer(noticed(error));
      return true;
    }
  };
  useEffect(() => {
    void load();
  }, [one.id]);
  return (
    <Modal title={t("Entities in {name}", { name: calledOf(one) })} class="wide">
      {!layer && <p class="quiet">{t("Loading…")}</p>}
      {layer instanceof Problem && <p class="note" role="alert">{layer.message}</p>}
      {layer && !(layer instanceof Problem) && (!layer.is_built ? <Build document={one} build={layer.build} built={load} /> : layer.rows.length === 0 ? <p>{t("No entities were found in this document.")}</p> : (
        <div class="entities">
          <div class="entities-list">
            <label class="unseen" for="entity-find">{t("Find an entity")}</label>
            <input id="entity-find" class="find" type="search" placeholder={t("Find an entity")} value={text} onInput={(event) => setText(event.currentTarget.value)} />
            <ul tabIndex={0} aria-label={t("Entities")}>
              {layer.rows.filter((row) => (hasValues || !VALUES.has(row.type)) && `${row.name} ${row.aliases.join(" ")}`.toLowerCase().includes(text.toLowerCase())).slice(0, 200).map((row) => (
                <li key={row.id}><button type="button" aria-pressed={row.id === entity} onClick={() => setEntity(row.id)}><span class="doc-name">{row.name}</span><span class="doc-told">{row.mentions}</span></button></li>
              ))}
            </ul>
            {layer.rows.some((row) => VALUES.has(row.type)) && <label class="setting"><input type="checkbox" checked={hasValues} onChange={(event) => setHasValues(event.currentTarget.checked)} />{t("Dates and amounts too")}</label>}
          </div>
          {entity && <Around document={one} entity={entity} hasValues={hasValues} row={layer.rows.find((row) => row.id === entity) ?? null} choose={setEntity} />}
        </div>
      ))}
    </Modal>
  );
}

/** Asks for what reads the graph: the server builds it by rule then, and keeps it. */
function Build({ document: one, build, built }: { document: Document; build: EntityLayer["build"]; built: () => Promise<boolean> }) {
  const [state, setState] = useState<"" | "busy" | string>("");
  const system = build?.systems[0] ?? "bookrag";
  const start = async (): Promise<void> => {
    setState("busy");
    try {
      await post("/v1/search", { question: one.name, documents: [one.id], system, limit: 1, passages: false, max_calls: 0 });
      if (!(await built())) setState(t("The server could not keep it: the folder of its corpus can only be read."));
    } catch (error) {
      setState(noticed(error).message);
    }
  };
  const command = `octavo add --for ${system} FILE --model PROVIDER:NAME`;
  return (
    <div>
      <p>{t("This document has no graph of entities yet. Rules can build it now, which costs nothing and takes about a second for ten pages.")}</p>
      {state && state !== "busy" && <p class="note" role="alert">{state}</p>}
      <p class="modal-acts">
        <button type="button" class="ask-go big" disabled={state === "busy"} onClick={() => void start()}>{state === "busy" ? t("Building…") : t("Build it")}</button>
      </p>
      {build && build.calls > 0 && (
        <>
          <p class="quiet">{build.cost ? t("A model finds more, with about {calls} and {tokens} tokens, {cost} in its price's currency. On the server's machine:", { calls: plural(build.calls, "call"), tokens: number(build.tokens), cost: digits(build.cost, 2) }) : t("A model finds more, with about {calls} and {tokens} tokens. On the server's machine:", { calls: plural(build.calls, "call"), tokens: number(build.tokens) })}</p>
          <p class="command"><code>{command}</code><button type="button" class="tool" onClick={() => void copy(command, t("Command"))}>{t("Copy")}</button></p>
        </>
      )}
    </div>
  );
}

const TOGETHER = "co_occurs_with";

interface Point {
  x: number;
  y: number;
}

/** Where a graph is drawn, and how many entities it may hold: fewer on a phone, where words stay as large. */
const WIDE = { width: 560, height: 420, most: 30 };
const NARROW = { width: 330, height: 360, most: 10 };

/** Springs along the edges, all nodes apart, the chosen one in the middle: 240 rounds are enough for 30 nodes. */
function arranged(graph: Graph, middle: string, room: typeof WIDE): Map<string, Point> {
  const count = graph.nodes.length;
  const at = new Map<string, Point>(graph.nodes.map((node, index) => {
    const angle = (index / Math.max(1, count)) * 2 * Math.PI;
    return [node.id, node.id === middle ? { x: 0, y: 0 } : { x: Math.cos(angle) * room.width * 0.3, y: Math.sin(angle) * room.height * 0.3 }];
  }));
  for (let round = 0; round < 240; round++) {
    const heat = 9 * (1 - round / 240);
    const push = new Map<string, Point>(graph.nodes.map((node) => [node.id, { x: 0, y: 0 }]));
    graph.nodes.forEach((one, index) => {
      for (const other of graph.nodes.slice(index + 1)) {
        const [a, b] = [at.get(one.id)!, at.get(other.id)!];
        const [dx, dy] = [a.x - b.x || 0.1, (a.y - b.y || 0.1) * 1.5];
        const force = 9000 / (dx * dx + dy * dy + 60);
        const length = Math.hypot(dx, dy);
        push.get(one.id)!.x += (dx / length) * force;
        push.get(one.id)!.y += (dy / length) * force;
        push.get(other.id)!.x -= (dx / length) * force;
        push.get(other.id)!.y -= (dy / length) * force;
      }
    });
    for (const edge of graph.edges) {
      const [a, b] = [at.get(edge.source), at.get(edge.target)];
      if (!a || !b) continue;
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const length = Math.hypot(dx, dy) || 1;
      const pull = (length - room.height * 0.36) * 0.05;
      push.get(edge.source)!.x += (dx / length) * pull;
      push.get(edge.source)!.y += (dy / length) * pull;
      push.get(edge.target)!.x -= (dx / length) * pull;
      push.get(edge.target)!.y -= (dy / length) * pull;
    }
    for (const node of graph.nodes) {
      if (node.id === middle) continue;
      const [point, by] = [at.get(node.id)!, push.get(node.id)!];
      const length = Math.hypot(by.x, by.y) || 1;
      const step = Math.min(length, heat);
      point.x = Math.min(room.width / 2 - 70, Math.max(-room.width / 2 + 70, (point.x + (by.x / length) * step) * 0.998));
      point.y = Math.min(room.height / 2 - 24, Math.max(-room.height / 2 + 24, (point.y + (by.y / length) * step) * 0.998));
    }
  }
  return at;
}

const clipped = (text: string): string => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

function Around(props: { document: Document; entity: string; hasValues: boolean; row: EntityRow | null; choose: (id: string) => void }) {
  const [whole, setGraph] = useState<Graph | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const { entity } = props;
  const room = isPhone.value ? NARROW : WIDE;
  useEffect(() => {
    setTold(null);
    get<Graph>(path`/v1/documents/${short(props.document.id)}/layers/entities/${entity}/graph` + `?limit=${room.most * 3}`).then(setGraph, (error) => setTold(noticed(error).message));
  }, [entity]);
  const graph = useMemo(() => whole && shownOf(whole, entity, room.most, props.hasValues), [whole, props.hasValues, room]);
  const places = useMemo(() => (graph ? arranged(graph, entity, room) : null), [graph, room]);
  const node = graph?.nodes.find((one) => one.id === entity);
  const pages = node?.pages ?? props.row?.pages ?? [];
  const go = (page: number): void => {
    dialog.value = null;
    void goPage(props.document.id, page);
  };
  return (
    <div class="around">
      <p class="around-name"><b>{node?.name ?? props.row?.name}</b> <span class="quiet">{[node?.type ?? props.row?.type, plural(node?.mentions ?? props.row?.mentions ?? 0, "mention")].filter(Boolean).join(", ")}</span></p>
      {props.row?.description && <p class="words">{props.row.description}</p>}
      {pages.length > 0 && <p class="around-pages"><span class="quiet">{t("On pages")}</span>{pages.slice(0, 24).map((page) => <button type="button" class="chip" key={page} onClick={() => go(page)}>{page}</button>)}</p>}
      {told && <p class="note" role="alert">{told}</p>}
      {graph && places && graph.nodes.length > 1 ? (
        <svg class={`graph${prefersStill() ? " still" : ""}`} viewBox={`${-room.width / 2} ${-room.height / 2} ${room.width} ${room.height}`} role="group" aria-label={`What is related to ${node?.name ?? "it"}`}>
          {graph.edges.map((edge, index) => {
            const [a, b] = [places.get(edge.source), places.get(edge.target)];
            if (!a || !b) return null;
            const near = edge.source === entity || edge.target === entity;
            return <g key={index} class={near ? "edge near" : "edge"}><line x1={a.x} y1={a.y} x2={b.x} y2={b.y} /><title>{edge.label.replace(/_/g, " ")}</title></g>;
          })}
          {graph.nodes.map((one) => {
            const point = places.get(one.id)!;
            const choose = (): void => props.choose(one.id);
            return (
              <g key={one.id} class={one.id === entity ? "node on" : "node"} transform={`translate(${point.x} ${point.y})`} role="button" tabIndex={0} aria-label={`${one.name}, ${one.type}, ${plural(one.mentions, "mention")}`}
                onClick={choose} onKeyDown={(event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } }}>
                <circle r={5 + Math.min(9, Math.sqrt(one.mentions) * 1.8)} />
                <text y={-11 - Math.min(9, Math.sqrt(one.mentions) * 1.8) + 3} text-anchor="middle">{clipped(one.name)}</text>
                <title>{`${one.name}${one.type ? `, ${one.type}` : ""}`}</title>
              </g>
            );
          })}
        </svg>
      ) : graph && <p class="quiet">{t("Nothing else is related to it in this document.")}</p>}
      {graph && <Relations graph={graph} entity={entity} />}
    </div>
  );
}

interface Way {
  told: string;
  isOut: boolean;
  others: Set<string>;
}

/** What relates an entity to others, each way of it once: those that are only named together come last. */
function Relations({ graph, entity }: { graph: Graph; entity: string }) {
  const names = new Map(graph.nodes.map((one) => [one.id, one.name]));
  const ways = new Map<string, Way>();
  for (const { source, target, label } of graph.edges) {
    if (!label || (source !== entity && target !== entity)) continue;
    const isOut = source === entity || label === TOGETHER;
    const way = ways.get(`${label} ${isOut}`) ?? { told: label === TOGETHER ? "named together with" : label.replace(/_/g, " "), isOut, others: new Set<string>() };
    way.others.add(names.get(source === entity ? target : source) ?? "");
    ways.set(`${label} ${isOut}`, way);
  }
  if (!ways.size) return null;
  const rows = [...ways].sort(([one], [other]) => Number(one.startsWith(TOGETHER)) - Number(other.startsWith(TOGETHER)));
  return (
    <ul class="relations">
      {rows.map(([key, { told, isOut, others }]) => {
        const listed = [...others].join(", ");
        return <li key={key}>{isOut ? <><i>{told}</i> {listed}</> : <>{listed} <i>{told}</i> {names.get(entity)}</>}</li>;
      })}
    </ul>
  );
}
