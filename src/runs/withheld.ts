import { documentsAmong, readableDocument } from '#documents';
import { foldersAmong, seesFolder } from '#folders';
import { erasedSubmissions, interfacesBehindBarriers, interfacesNamed } from '#interfaces';
import { registriesNamed } from '#registries';
import { tasksBehindBarriers } from '#tasks';
import { together } from '../platform/database/together.ts';
import { type ReadScope, runsTeam } from '../platform/scope.ts';
import { type CallRow, isRemote, listedDocument, listsOfDocuments, toolsOfDocuments } from './loop/index.ts';

const identifiers = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

type Named = Pick<CallRow, 'id' | 'tool' | 'arguments' | 'result' | 'finished_at'>;

/** What a tool is about, in the names that its arguments have for it; whoever may not see that is refused. */
const subjects = new Set(['id', 'registryId', 'interfaceId']);

/**
 * What of its arguments a call tells something of. By others a list is only narrowed: where that leaves nothing, the answer is the one
 * for an identifier that names nothing, and so is what is shown of it.
 */
function saying({ tool, arguments: given, result }: Named): unknown {
  // What a tool of another server answers with says nothing of what it was told: an answer that begins so may go on.
  if (isRemote({ tool }) || typeof given !== 'object' || given === null || !result?.startsWith('{"items":[]')) return given;
  return Object.entries(given).filter(([name]) => subjects.has(name));
}

/** What a call of a run has told, without its words: what decides who is shown it. */
export type Telling = {
  id: string;
  /** Whatever it names. */
  named: ReadonlySet<string>;
  /** Documents and registries that it was read of. */
  of: readonly string[];
  /** The form whose answers it has. */
  form: string | undefined;
  at: number;
};

/** What a call has told; nothing where it is not over, or was refused: that says nothing of what it was about. */
export function tellingOf(call: Named): Telling[] {
  const { id, tool, arguments: given, result, finished_at: at } = call;
  if (result === null || result.startsWith('{"error":')) return [];
  const named = new Set(`${JSON.stringify(saying(call))} ${result}`.toLowerCase().match(identifiers) ?? []);
  const about = typeof given === 'object' && given !== null ? (given as Record<'id' | 'registryId' | 'interfaceId', unknown>) : undefined;
  const text = (one: unknown) => (typeof one === 'string' ? [one.toLowerCase()] : []);
  const of = listsOfDocuments.includes(tool)
    ? Array.from(result.matchAll(new RegExp(listedDocument, 'g')), ([, document = '']) => document)
    : [...text(toolsOfDocuments.includes(tool) ? about?.id : undefined), ...text(about?.registryId)];
  return [{ id, named, of, form: text(about?.interfaceId)[0], at: Date.parse(at ?? '') }];
}

/** The calls of a run whose results somebody is not shown: {@link withheldAmong}. */
export const withheldCalls = (scope: ReadScope, calls: readonly Named[]): Promise<ReadonlySet<string>> =>
  withheldAmong(scope, calls.flatMap(tellingOf));

/**
 * Of what calls of a run have told what somebody is not shown, whoever the run was for: it names a document, a folder, a registry or
 * an interface that somebody may not read now, something behind a barrier, or a submission that is erased. Whatever was read in time stays with
 * whoever read it, and not here.
 */
export async function withheldAmong(scope: ReadScope, told: readonly Telling[]): Promise<ReadonlySet<string>> {
  const { db, team, actor } = scope;
  const ids = [...new Set(told.flatMap(({ named }) => [...named]))];
  if (ids.length === 0 || actor.type !== 'user') return new Set();
  const looking = { team, user: actor.id, roots: null, ids };
  const { folders, documents, tasks, barred, erased, interfaces, registries } = await together({
    folders: () => db.all(foldersAmong, looking),
    documents: () => db.all(documentsAmong, looking),
    tasks: () => db.all(tasksBehindBarriers, looking),
    barred: () => db.all(interfacesBehindBarriers, looking),
    erased: () => db.all(erasedSubmissions, looking),
    interfaces: () => interfacesNamed(scope, ids),
    registries: () => registriesNamed(scope, ids),
  });
  const hidden = new Set([...folders, ...documents].filter(({ excluded }) => excluded).map(({ id }) => id));
  for (const { id } of [...tasks, ...barred, ...[...interfaces, ...registries].filter(({ open }) => !open)]) hidden.add(id);
  // Who runs the team reads all that no barrier keeps from them.
  if (!runsTeam(actor)) {
    for (const { id } of documents) if (!hidden.has(id) && !(await readableDocument(scope, id))) hidden.add(id);
    for (const { id } of folders) if (!hidden.has(id) && !(await seesFolder(scope, id))) hidden.add(id);
  }
  // What was read of a document or a registry that is gone is shown to nobody, until it is dropped.
  const there = new Set([...documents.filter(({ ended }) => !ended), ...registries].map(({ id }) => id));
  // Who sees a form does not read its answers by that.
  const unanswered = new Set(interfaces.filter(({ answers }) => !answers).map(({ id }) => id));
  // What is erased is told to nobody afterwards.
  const toldUntil = new Map(erased.map((one) => [one.id, Date.parse(one.told_until)]));
  const isWithheld = ({ named, of, form, at }: Telling): boolean =>
    of.some((id) => !there.has(id)) ||
    (form !== undefined && unanswered.has(form)) ||
    [...named].some((id) => hidden.has(id) || (toldUntil.get(id) ?? 0) > at);
  return new Set(told.filter(isWithheld).map(({ id }) => id));
}
