import { documentsAmong, readableDocument } from '#documents';
import { foldersAmong, seesFolder } from '#folders';
import { erasedSubmissions, interfacesBehindWalls, interfacesNamed } from '#interfaces';
import { registriesNamed } from '#registries';
import { tasksBehindWalls } from '#tasks';
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

/**
 * The calls of a run whose results somebody is not shown, whoever the run was for: they name a document, a folder, a registry or
 * an interface that somebody may not read now, something behind a wall, or a submission that is erased. Whatever was read in time stays with
 * whoever read it, and not here.
 */
export async function withheldCalls(scope: ReadScope, calls: readonly Named[]): Promise<ReadonlySet<string>> {
  const { db, team, actor } = scope;
  // A refusal says nothing of what it was about.
  const answered = calls.filter(({ result }) => result !== null && !result.startsWith('{"error":'));
  const namedBy = new Map(
    answered.map((call) => [
      call.id,
      new Set(`${JSON.stringify(saying(call))} ${call.result ?? ''}`.toLowerCase().match(identifiers) ?? []),
    ]),
  );
  const ids = [...new Set([...namedBy.values()].flatMap((named) => [...named]))];
  if (ids.length === 0 || actor.type !== 'user') return new Set();
  const looking = { team, user: actor.id, roots: null, ids };
  const { folders, documents, tasks, walled, erased, interfaces, registries } = await together({
    folders: () => db.all(foldersAmong, looking),
    documents: () => db.all(documentsAmong, looking),
    tasks: () => db.all(tasksBehindWalls, looking),
    walled: () => db.all(interfacesBehindWalls, looking),
    erased: () => db.all(erasedSubmissions, looking),
    interfaces: () => interfacesNamed(scope, ids),
    registries: () => registriesNamed(scope, ids),
  });
  const hidden = new Set([...folders, ...documents].filter(({ closed }) => closed).map(({ id }) => id));
  for (const { id } of [...tasks, ...walled, ...[...interfaces, ...registries].filter(({ open }) => !open)]) hidden.add(id);
  // Who runs the team reads all that no wall keeps from them.
  if (!runsTeam(actor)) {
    for (const { id } of documents) if (!hidden.has(id) && !(await readableDocument(scope, id))) hidden.add(id);
    for (const { id } of folders) if (!hidden.has(id) && !(await seesFolder(scope, id))) hidden.add(id);
  }
  const there = new Set([...documents.filter(({ ended }) => !ended), ...registries].map(({ id }) => id));
  // What was read of a document or a registry that is gone is shown to nobody, until it is dropped.
  const isGone = ({ tool, arguments: given, result }: Named): boolean => {
    if (listsOfDocuments.includes(tool))
      return [...(result ?? '').matchAll(new RegExp(listedDocument, 'g'))].some(([, id = '']) => !there.has(id));
    if (typeof given !== 'object' || given === null) return false;
    const { id, registryId } = given as { id?: unknown; registryId?: unknown };
    const named = [toolsOfDocuments.includes(tool) ? id : undefined, registryId];
    return named.some((one) => typeof one === 'string' && !there.has(one.toLowerCase()));
  };
  // Who sees a form does not read its answers by that.
  const unanswered = new Set(interfaces.filter(({ answers }) => !answers).map(({ id }) => id));
  const hasAnswers = ({ arguments: given }: Named): boolean => {
    const { interfaceId } = typeof given === 'object' && given !== null ? (given as { interfaceId?: unknown }) : {};
    return typeof interfaceId === 'string' && unanswered.has(interfaceId.toLowerCase());
  };
  // What is erased is told to nobody afterwards.
  const toldUntil = new Map(erased.map((one) => [one.id, Date.parse(one.told_until)]));
  const hadErased = ({ id, finished_at: at }: Named): boolean =>
    [...(namedBy.get(id) ?? [])].some((one) => (toldUntil.get(one) ?? 0) > Date.parse(at ?? ''));
  const withheld = answered.filter(
    (call) => isGone(call) || hasAnswers(call) || hadErased(call) || [...(namedBy.get(call.id) ?? [])].some((id) => hidden.has(id)),
  );
  return new Set(withheld.map(({ id }) => id));
}
