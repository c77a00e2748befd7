// What all documents have of the text in the field above: each with its first places, by page and words.
import { everywhere, openHit } from "../finding";
import { match } from "../state";
import { said } from "../ui/said";
import { placeName } from "../words";
import { Snippet } from "../desk/Rail";
import { plural, t } from "../wording";

export function Everywhere() {
  const looked = everywhere.value;
  if (!looked || !match.value.trim()) return null;
  const finds = looked.finds;
  const held = finds?.documents.filter((one) => one.total > 0) ?? [];
  const isStale = finds?.text !== looked.text;
  return (
    <section class="everywhere" aria-label={t("In the text of the documents")} aria-busy={isStale}>
      <div class="lib-title"><h2>{t("In the text")}</h2>{finds && <span class="count" role="status">{finds.total ? plural(finds.total, "place") : ""}</span>}</div>
      {looked.problem && <p class="quiet none">{looked.problem}</p>}
      {finds && !held.length && !isStale && <p class="quiet none">{t("“{text}” stands in none of the {n} documents that were read.", { text: finds.text, n: finds.searched })}</p>}
      {held.map((one) => (
        <article class="found-in" key={one.document_id}>
          <h3 title={one.document}>{said(one.title || one.document, one.title ? one.in_title : one.in_name)}</h3>
          <ol>
            {one.places.map((hit, at) => (
              <li key={`${hit.id}${at}`}><button type="button" class="hit-row" onClick={() => void openHit(one.document_id, looked.text, hit)}><Snippet hit={hit} /><small>{placeName(hit)}</small></button></li>
            ))}
          </ol>
          {one.total > one.places.length && <button type="button" class="linkish" onClick={() => void openHit(one.document_id, looked.text)}>{t("All {n} here", { n: one.total })}</button>}
        </article>
      ))}
      {finds && !finds.is_complete && <p class="quiet none">{t("The text of {n} documents was read, those first that fit best.", { n: finds.searched })}</p>}
    </section>
  );
}
