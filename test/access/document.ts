import { callerNames, callers } from './callers.ts';
import type { Cell, Row } from './rows.ts';
import { accessTable, operationOf } from './table.ts';

const headings: Record<(typeof callerNames)[number], string> = {
  owner: 'owner',
  admin: 'admin',
  maker: 'maker',
  writer: 'share: write',
  reader: 'share: read',
  holder: 'task',
  member: 'other member',
  guest: 'viewer given it',
  viewer: 'other viewer',
  client: 'API client',
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
  const listed = (lead: string, names: string[]) => (names.length === 0 ? [] : [lead, '', ...names, '']);
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
    ...listed('About whoever asks: open to every person, closed to API clients (403 `person_required`).', others('own')),
    ...listed(
      'No credential is asked for in the header: the operation is its own guard, by a link, a code or a secret in the request.',
      others('public'),
    ),
    ...listed('For those who run the service alone; the tokens of teams are 401 here.', others('staff')),
  ].join('\n');
}

const introduction = `<!-- Written by \`npm run generate\` from test/access/table.ts and test/operations; a test tries every cell. -->
# Who may do what

Between teams nothing is seen: whatever another team’s token names is 404. This page is about one team.

- **Private unless given.** What a person makes is theirs. Others see it because it was shared with them, because they hold a
  task of it, or because they are the team’s owner or an administrator; what these open without owning it is in the journal
  as such, and the owner of the thing can read it there.
- **A reference is a use.** Whoever puts a thing into another, as a document into a workflow, must hold the right on it that
  the use gives to others. What one may not read answers like what does not exist: 404 by its identifier, and as the
  identifier of something elsewhere where such are taken.
- **A grant ends with its reason**: what a share opens ends with the share, and what a task opens with the task, or when it is
  revoked, also by \`?cascade=true\` with the share of its grantor. To let others read takes owning the thing, a share of it or a role: what one
  holds for a task one does not pass on. A program needs the scope to read what it names.
- **Nobody gives what they do not hold**, and API clients give no roles and never stand in for a person.
- **Who comes back has nothing of before**: what they made, were given, held and ended in the team is not theirs when they join it anew,
  and neither are the answers kept under their \`Idempotency-Key\`s.
- **A barrier hides tasks, workflows and forms too**: a person or program outside of the barrier around their document, or around the folder
  of the submissions, gets 404 and sees them in no list, also as assignee, maker, owner or administrator. A person outside is not assigned a task or step (422 \`outside_barrier\`). Emergency access is for administrators and
  lets them read only. It ends when they are administrators no more.

Decided where one might expect otherwise: an \`Idempotency-Key\` repeats to whoever used it what the same request was answered, also
when the thing is not open to them any more, for 24 hours and while they stay in the team: it shows nothing new. A task says the version and hash it is
about to whoever sees it, whether or not they may read the document. An API client reads addresses and payloads of
its own webhook endpoints by \`webhooks:read\`, each payload while the scope of its type is open to it. Where a document was put into a task by
somebody who holds it for a task, that it is taken for another person says that this person reads it. The journal names what is behind a barrier
by identifier, with the versions and hashes that acts are about, to those who may read the journal. Mails and events call a form behind a barrier by its identifier. An agent is kept
from whatever names something behind a barrier, also where that is a mere text, such as the \`documentId\` of another system: whoever knows such an
identifier already, and has their own agent read it, can tell that there is something. Identifiers have 74 random bits, and nobody learns one by that. A program
says by the scope of what it puts somewhere which folder that is put into.

A **scope** opens an operation (403 \`insufficient_scope\` without it, and for every role that does not carry it); the relation to the
thing then decides. In the tables the thing was made by a member, the **maker**. ✓ the operation does what it is for; “not
listed”: the list answers without it; a number: the status of the refusal; empty: the caller is not one that the thing knows.
For every row but the last two lists: without a credential, or with one of those who run the service, 401; an API client without the scope, 403.

`;

const legend = `| column | who |\n|---|---|\n${callerNames.map((name) => `| ${headings[name]} | ${callers[name]} |`).join('\n')}\n\n`;

/** What docs/reference/generated/access.md says, as Markdown. */
export function accessDocument(): string {
  const areas = Object.entries(accessTable).map(([title, rows]) => area(title, rows));
  return `${introduction}${legend}${areas.join('\n')}`;
}
