// What all documents have of the text in the field above: each with its first places, by page and words.
import { everywhere, openHit } from "../finding";
import { match } from "../state";
import { said } from "../ui/said";
import { placeName, plural } from "../words";
import { Snippet } from "../desk/Rail";

export function Everywhere() {
  const looked = everywhere.value;
  if (!looked || !match.value.trim()) return null;
  const finds = looked.finds;
  const held = finds?.documents.filter((one) => one.total > 0) ?? [];
  const isStale = finds?.text !== looked.text;
  return (
    <section class="everywhere" aria-label="In the text of the documents" aria-busy={isStale}>
      <div class="lib-title"><h2>In the text</h2>{finds && <span class="count" role="status">{finds.total ? `${plural(finds.total, "place")}` : ""}</span>}</div>
      {looked.problem && <p class="quiet none">{looked.problem}</p>}
      {finds && !held.length && !isStale && <p class="quiet none">{`“${finds.text}” stands in none of the ${plural(finds.searched, "document")} that were read.`}</p>}
      {held.map((one) => (
        <article class="found-in" key={one.document_id}>
          <h3 title={one.document}>{said(one.title || one.document, one.title ? one.in_title : one.in_name)}</h3>
          <ol>
            {one.places.map((hit, at) => (
              <li key={`${hit.id}${at}`}><button type="button" class="hit-row" onClick={() => void openHit(one.document_id, looked.text, hit)}><Snippet hit={hit} /><small>{placeName(hit)}</small></button></li>
            ))}
          </ol>
          {one.total > one.places.length && <button type="button" class="linkish" onClick={() => void openHit(one.document_id, looked.text)}>{`All ${one.total.toLocaleString("en")} here`}</button>}
        </article>
      ))}
      {finds && !finds.is_complete && <p class="quiet none">{`The text of ${finds.searched.toLocaleString("en")} documents was read, those first that fit best.`}</p>}
    </section>
  );
}
