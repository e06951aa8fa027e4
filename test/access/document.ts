import { callerNames, callers } from './callers.ts';
import type { Cell, Row } from './rows.ts';
import { accessTable, operationOf } from './table.ts';

const headings: Record<(typeof callerNames)[number], string> = {
  owner: 'owner',
  admin: 'admin',
  creator: 'creator',
  writer: 'share: write',
  reader: 'share: read',
  assignee: 'task',
  member: 'other member',
  clerk: 'viewer with share',
  viewer: 'other viewer',
  client: 'API client',
  guest: 'guest with share',
  auditor: 'auditor',
};

const words: Partial<Record<Cell, string>> = { yes: '✓', seen: '✓', unseen: 'not listed', '·': '' };

function line(name: string, row: Extract<Row, { cells: object }>): string {
  const { name: operation } = operationOf(name);
  const about = name.slice(operation.length).trim();
  const shown = callerNames.map((caller) => words[row.cells[caller]] ?? row.cells[caller]);
  return `| \`${operation}\`${about === '' ? '' : ` ${about}`} | ${shown.join(' | ')} |`;
}

function area(title: string, rows: Record<string, Row>): string {
  const entries = Object.entries(rows);
  const table = entries.flatMap(([name, row]) => ('cells' in row ? [line(name, row)] : []));
  const others = (kind: 'own' | 'public' | 'staff') => entries.flatMap(([name, row]) => (row.kind === kind ? [`- \`${name}\``] : []));
  const listed = (intro: string, names: string[]) => (names.length === 0 ? [] : [intro, '', ...names, '']);
  return [
    `## ${title}`,
    '',
    ...(table.length === 0
      ? []
      : [
          `| operation | ${callerNames.map((caller) => headings[caller]).join(' | ')} |`,
          `|---|${callerNames.map(() => '---|').join('')}`,
          ...table,
          '',
        ]),
    ...listed('About the caller: open to each person, closed to API clients (403 `person_required`).', others('own')),
    ...listed('Without a credential in the header: a link, code or secret in the request protects the operation.', others('public')),
    ...listed('For staff only; tokens of teams are 401.', others('staff')),
  ].join('\n');
}

const introduction = `<!-- Written by \`npm run generate\` from test/access/table.ts and test/operations; a test tries every cell. -->
# Access by operation

This page lists access inside one team. Resources of other teams are always 404.
[Access and sharing](../../concepts/access-and-sharing.md) explains the rules.

- **Private by default.** A resource belongs to its creator. Others see it by a share, by a task, or as owner or administrator of the team.
  The journal records access by role, and the owner of the resource can read these entries.
- **A reference needs a right.** If you add a resource to another one, such as a document to a workflow, you need the right that others get by it.
  A hidden resource is 404, also as a reference.
- **Access ends with its reason**: the share or the task ends, or \`?cascade=true\` revokes it with the share of its grantor.
  To share, you need ownership, a share or a role. A task is not enough. API clients need the scope to read the resources that they name.
- **You cannot grant more than you have.** API clients grant no roles and never replace a person.
- **A member who rejoins starts without access.** Earlier resources, shares, tasks and stored idempotent responses do not return.
- **A barrier hides tasks, workflows and forms too.** Outside of the barrier around their document or folder they are 404 and in no list.
  To assign such a task or step to a person outside is 422 \`outside_barrier\`.
  Emergency access is for administrators, permits reading only, and ends with the role.

Special cases:

- An \`Idempotency-Key\` replays a response for 24 hours, even if the caller has lost access, while the caller stays in the team.
- A task shows the version and hash of its document to each viewer of the task.
- An API client reads addresses and payloads of its own endpoints with \`webhooks:read\`, if it has the scope of the event type.
- If a member adds a document to a task by the right of another task, the new assignee can see that this member reads it.
- The journal contains ids, versions and hashes of resources behind a barrier. Emails and events contain the id of a form there.
- An agent cannot read resources that name a document behind a barrier, even as the \`documentId\` of another system.
  A caller who already knows this id can conclude that the document exists. Ids have 74 random bits.
- An API client can see by the scope of a new resource which folder contains it.

A **scope** permits an operation (403 \`insufficient_scope\` without it). Then the relation to the resource decides.
The resources in the tables belong to a member, the **creator**.

| cell | meaning |
|---|---|
| ✓ | The operation succeeds. |
| not listed | The list omits the resource. |
| a number | The status of the error. |
| empty | The resource has no such caller. |

Without a credential, or with one of staff, each operation of a table is 401. An API client without the scope gets 403.

`;

const legend = `| column | who |\n|---|---|\n${callerNames.map((name) => `| ${headings[name]} | ${callers[name]} |`).join('\n')}\n\n`;

/** Returns the Markdown of docs/reference/generated/access.md. */
export function accessDocument(): string {
  const areas = Object.entries(accessTable).map(([title, rows]) => area(title, rows));
  return `${introduction}${legend}${areas.join('\n')}`;
}
