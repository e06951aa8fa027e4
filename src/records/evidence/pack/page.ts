import { html } from '../../../platform/http/html.ts';
import type { PackPart } from './part.ts';

type PackPageData = { packId: string; teamId: string; subject: { type: string; id: string; title: string }; requestedAt: string };

const kinds: Record<string, string> = { document: 'Document', workflow: 'Workflow', signature: 'Signature request' };

/** Builds the page that explains a pack. It loads nothing, and texts from users are escaped. */
// oxlint-disable-next-line max-lines-per-function -- one page of text, in reading order
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
        <p>${kinds[subject.type] ?? subject.type} ${subject.id} of team ${teamId}. Pack ${packId}, requested at ${requestedAt}.</p>
        <h2>Contents</h2>
        <ul>
          <li><code>files/</code>: the file of each version of the documents.</li>
          <li><code>signatures/</code>: the actions of signers, each as a statement that the service signed.</li>
          <li>
            <code>journal.jsonl</code>: the entries of the audit journal about it, each with the proof that it is a leaf of the journal's
            tree, and the signed head of that tree.
          </li>
          <li>
            <code>manifest.json</code>: all files with their SHA-256. The journal recorded the hash of this list before the pack was
            written.
          </li>
          <li><code>verify.mjs</code>: verifies all of this without the service and without a network.</li>
        </ul>
        <h2>How to verify the pack</h2>
        <p>Unpack the archive. With Node.js 20 or newer, run in that folder:</p>
        <pre>node verify.mjs</pre>
        <p>
          The script prints OK, or the first error. By default it trusts the key in the pack. To verify that the key belongs to the service,
          get the key from the service, by <code>chancery audit key</code> or from its published key set, and run:
        </p>
        <pre>node verify.mjs --key "name+id+key"</pre>
        ${
          parts.some(({ path }) => /^signatures\/.+\/\d+\.json$/.test(path)) &&
          html`<p>
            <strong>The script does not verify the signatures of statements.</strong> They cover network addresses, which are not in this
            pack. The journal proves the content of the statements. To verify the signatures too, request a pack with <code>network</code>;
            their keys are in <code>signatures/keys.json</code>.
          </p>`
        }
        <h2>What the pack proves</h2>
        <p>
          These files, statements and entries are as recorded in the journal when its head was signed. They have not changed since. A
          journal proves what was recorded, not that it is true. Files and statements are as of the time of the file list. The head of the
          journal is some seconds later. The pack has the entries of those seconds without their files and statements, and
          <code>verify.mjs</code> prints their number. It has no later entries.
        </p>
        ${
          leftOut.length > 0 &&
          html`<h2>Omitted content</h2>
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
