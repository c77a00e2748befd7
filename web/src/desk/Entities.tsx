// Entities of a document and a graph of what is related to one of them; where they are not there, how to have them.
import { useEffect, useMemo, useState } from "preact/hooks";
import { get, path, Problem, short } from "../api";
import { goPage, noticed } from "../reading";
import { dialog, prefersStill } from "../state";
import type { Document, EntityRow, Graph, Layer } from "../types";
import { copy } from "../ui/copy";
import { Modal } from "../ui/dialog";
import { plural } from "../words";

export function Entities({ document: one }: { document: Document }) {
  const [layer, setLayer] = useState<Layer | Problem | null>(null);
  const [entity, setEntity] = useState<string | null>(null);
  const [text, setText] = useState("");
  useEffect(() => {
    get<Layer>(path`/v1/documents/${short(one.id)}/layers/entities` + "?limit=200").then(
      (found) => {
        setLayer(found);
        setEntity(found.rows[0]?.id ?? null);
      },
      (error) => setLayer(noticed(error)),
    );
  }, [one.id]);
  return (
    <Modal title={`Entities in ${one.name}`} class="wide">
      {!layer && <p class="quiet">Loading…</p>}
      {layer instanceof Problem && <p class="note" role="alert">{layer.message}</p>}
      {layer && !(layer instanceof Problem) && (!layer.is_built ? <HowToBuild document={one} build={layer.build} /> : layer.rows.length === 0 ? <p>No entities were found in this document.</p> : (
        <div class="entities">
          <div class="entities-list">
            <label class="unseen" for="entity-find">Find an entity</label>
            <input id="entity-find" class="find" type="search" placeholder="Find an entity" value={text} onInput={(event) => setText(event.currentTarget.value)} />
            <ul tabIndex={0} aria-label="Entities">
              {layer.rows.filter((row) => `${row.name} ${row.aliases.join(" ")}`.toLowerCase().includes(text.toLowerCase())).slice(0, 200).map((row) => (
                <li key={row.id}><button type="button" aria-pressed={row.id === entity} onClick={() => setEntity(row.id)}><span class="doc-name">{row.name}</span><span class="doc-told">{row.mentions}</span></button></li>
              ))}
            </ul>
          </div>
          {entity && <Around document={one} entity={entity} row={layer.rows.find((row) => row.id === entity) ?? null} choose={setEntity} />}
        </div>
      ))}
    </Modal>
  );
}

function HowToBuild({ document: one, build }: { document: Document; build: Layer["build"] }) {
  const system = build?.systems[0] ?? "bookrag";
  const command = `octavo add --for ${system} ${/\s/.test(one.name) ? `"${one.name}"` : one.name}`;
  const cost = build && build.calls > 0 ? ` With a model that takes about ${plural(build.calls, "call")} and ${build.tokens.toLocaleString("en")} tokens${build.cost ? `, ${build.cost.toFixed(2)} in its price's currency` : ""}.` : "";
  return (
    <div>
      <p>This document has no graph of entities yet. {build && build.systems.length > 1 ? `The systems ${build.systems.join(" and ")} read one.` : ""} Without a model the rules build it, which costs nothing.{cost}</p>
      <p class="command"><code>{command}</code><button type="button" class="tool" onClick={() => void copy(command, "Command")}>Copy</button></p>
    </div>
  );
}

interface Point {
  x: number;
  y: number;
}

const WIDTH = 560;
const HEIGHT = 420;

/** Springs along the edges, all nodes apart, the chosen one in the middle: 240 rounds are enough for 30 nodes. */
function arranged(graph: Graph, middle: string): Map<string, Point> {
  const count = graph.nodes.length;
  const at = new Map<string, Point>(graph.nodes.map((node, index) => {
    const angle = (index / Math.max(1, count)) * 2 * Math.PI;
    return [node.id, node.id === middle ? { x: 0, y: 0 } : { x: Math.cos(angle) * 170, y: Math.sin(angle) * 130 }];
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
      const pull = (length - 150) * 0.05;
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
      point.x = Math.min(WIDTH / 2 - 70, Math.max(-WIDTH / 2 + 70, (point.x + (by.x / length) * step) * 0.998));
      point.y = Math.min(HEIGHT / 2 - 24, Math.max(-HEIGHT / 2 + 24, (point.y + (by.y / length) * step) * 0.998));
    }
  }
  return at;
}

const clipped = (text: string): string => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

function Around(props: { document: Document; entity: string; row: EntityRow | null; choose: (id: string) => void }) {
  const [graph, setGraph] = useState<Graph | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const { entity } = props;
  useEffect(() => {
    setTold(null);
    get<Graph>(path`/v1/documents/${short(props.document.id)}/layers/entities/${entity}/graph`).then(setGraph, (error) => setTold(noticed(error).message));
  }, [entity]);
  const places = useMemo(() => (graph ? arranged(graph, entity) : null), [graph]);
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
      {told && <p class="note" role="alert">{told}</p>}
      {graph && places && graph.nodes.length > 1 ? (
        <svg class={`graph${prefersStill() ? " still" : ""}`} viewBox={`${-WIDTH / 2} ${-HEIGHT / 2} ${WIDTH} ${HEIGHT}`} role="group" aria-label={`What is related to ${node?.name ?? "it"}`}>
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
      ) : graph && <p class="quiet">Nothing else is related to it in this document.</p>}
      {graph && graph.edges.some((edge) => edge.label && (edge.source === entity || edge.target === entity)) && (
        <ul class="relations">{graph.edges.filter((edge) => edge.label && (edge.source === entity || edge.target === entity)).slice(0, 8).map((edge, index) => {
          const name = (id: string): string => graph.nodes.find((one) => one.id === id)?.name ?? "";
          return <li key={index}>{name(edge.source)} <i>{edge.label.replace(/_/g, " ")}</i> {name(edge.target)}</li>;
        })}</ul>
      )}
      {pages.length > 0 && <p class="around-pages"><span class="quiet">On pages</span>{pages.slice(0, 24).map((page) => <button type="button" class="chip" key={page} onClick={() => go(page)}>{page}</button>)}</p>}
    </div>
  );
}
