import { html } from '../../../platform/http/html.ts';
import type { PackPart } from './part.ts';

type PackPageData = { packId: string; teamId: string; subject: { type: string; id: string; title: string }; requestedAt: string };

const kinds: Record<string, string> = { document: 'Document', workflow: 'Workflow', signature: 'Request for signatures' };

/** The page that explains a pack: it loads nothing, and whatever people wrote is text. */
// oxlint-disable-next-line max-lines-per-function -- one page of text, in the order in which people read it
export function explanation(
  { packId, teamId, subject, requestedAt }: PackPageData,
  leftOut: readonly string[],
  parts: readonly PackPart[],
): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Evidence</title>
      </head>
      <body>
        <h1>Evidence: ${subject.title}</h1>
        <p>${kinds[subject.type] ?? subject.type} ${subject.id}, of team ${teamId}. Pack ${packId}, asked for at ${requestedAt}.</p>
        <h2>What is here</h2>
        <ul>
          <li><code>files/</code>: the file of each version of the document.</li>
          <li><code>signatures/</code>: what people did when they were asked to sign, each act as a statement that the service signed.</li>
          <li>
            <code>journal.jsonl</code>: the entries of the audit journal about it, each with the proof that it is a leaf of the journal's
            tree, and the signed head of that tree.
          </li>
          <li>
            <code>manifest.json</code>: all files with their SHA-256. The journal has the hash of this list from before the pack was
            written.
          </li>
          <li><code>verify.mjs</code>: verifies all of this without the service and without a network.</li>
        </ul>
        <h2>How to verify it</h2>
        <p>With Node.js 20 or newer, in the folder that the archive was unpacked into:</p>
        <pre>node verify.mjs</pre>
        <p>
          It says OK, or names the first thing that does not match. It then trusts the key that came along. Whoever wants to be sure that
          the key is the service's hands in one that they have from elsewhere, as <code>chancery audit key</code> or the published key set
          shows it:
        </p>
        <pre>node verify.mjs --key "name+id+key"</pre>
        ${
          parts.some(({ path }) => /^signatures\/.+\/\d+\.json$/.test(path)) &&
          html`<p>
            <strong>Signatures of statements are not verified here.</strong> They cover network addresses, which are not in this pack. The
            journal proves what the statements say. Ask for a pack with <code>network</code> to verify the signatures too, by the keys in
            <code>signatures/keys.json</code>.
          </p>`
        }
        <h2>What it proves</h2>
        <p>
          That these files, statements and entries are as the journal had them when its head was signed, and have not been changed since. A
          journal proves what was recorded, not that it is true. Files and statements are of the moment when their list was recorded. The
          journal goes on to its head, some seconds later: what was recorded in between is an entry here without its file or statement, and
          <code>verify.mjs</code> says how many there are. Entries of after that are not here.
        </p>
        ${
          leftOut.length > 0 &&
          html`<h2>What is left out</h2>
            <ul>
              ${leftOut.map((text) => html`<li>${text}</li>`)}
            </ul>`
        }
        <h2>Files</h2>
        <table>
          <tr>
            <th>File</th>
            <th>Bytes</th>
            <th>SHA-256</th>
          </tr>
          ${parts.map(
            ({ path, size, sha256 }) =>
              html`<tr>
                <td>${path}</td>
                <td>${size}</td>
                <td><code>${sha256}</code></td>
              </tr>`,
          )}
        </table>
      </body>
    </html>`;
  return `${page.markup.trim()}\n`;
}
