import { isDeepStrictEqual } from 'node:util';
import { actorToday, readableDocument } from '#documents';
import { type CreateRequest, mayAskToSign, pauseRequest, requestSignature, signersError, voidRequest } from '#signatures';
import { fullNameOf, memberContacts } from '#teams';
import type { Transaction } from '../../platform/database/database.ts';
import { Problem, problems, reasonOf } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import { documentsOfStep } from './documents.ts';
import type * as queries from './queries.ts';
import { workflowProblems } from './problems.ts';
import { asksToSign, signersNamed } from './signature-config.ts';
import { localeOfWorkflow, setLocaleOfWorkflow } from './locale-queries.ts';

const dayMs = 86_400_000;

/** Stores the language of the submission that starts a workflow. Its signature requests use it by default. */
export function setWorkflowLocale({ db, team }: Scope, id: string, locale: string): void {
  db.send(setLocaleOfWorkflow, { team, id, locale });
}

/** Why a signature request was not created. */
export type SigningFailure = { code: string; detail?: string };

/**
 * Creates the signature request of a step that has begun, with the current rights of the user who linked the document. Returns why it was rejected, or
 * undefined.
 */
export async function askToSign(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow): Promise<SigningFailure | undefined> {
  const about = documentsOfStep(row, step);
  const documents = about.flatMap(({ linked_document_id: id }) => (id === null ? [] : [{ documentId: id }]));
  const [first] = about;
  const actor = first === undefined || first.linked_by === null ? undefined : await actorToday(scope, first.linked_by);
  if (documents.length < about.length || actor === undefined) return { code: 'document_not_signable' };
  const signers = (await signersOf(scope, step)).map((one) => signingAs(one, step.config.documents, about));
  if (signers.length === 0) return { code: 'signer_invalid', detail: 'No assignee of the step can sign.' };
  const { message, requireCode, expiresInDays: days, locale } = step.config;
  const input: CreateRequest = {
    documents,
    signers,
    ...(typeof message === 'string' ? { message } : {}),
    ...(requireCode === true ? { requireCode } : {}),
    ...(typeof locale === 'string' ? { locale } : {}),
    ...(typeof days === 'number' ? { expiresAt: new Date(scope.now.getTime() + days * dayMs).toISOString() } : {}),
  };
  const asking = { ...scope, actor, recordedAs: scope.recordedAs ?? scope.actor };
  try {
    // A savepoint: a rejected request leaves nothing behind, and the rest of the transaction stays. Then the step fails, and an administrator decides
    // about it.
    const from = (await scope.db.first(localeOfWorkflow, { team: scope.team, id: row.id }))?.locale ?? undefined;
    const by = { workflowId: row.id, stepId: step.id, ...(from === undefined ? {} : { locale: from }) };
    const { value } = await scope.db.attempt((db) => requestSignature({ ...asking, db }, input, by));
    step.request_id = value.id;
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return { code: error.code, detail: reasonOf(error) };
    throw error;
  }
}

/** Returns a signer without the names in documents that a condition omitted. */
function signingAs(
  { signsAs, ...signer }: CreateRequest['signers'][number],
  named: unknown,
  about: readonly queries.DocumentRow[],
): CreateRequest['signers'][number] {
  if (signsAs === undefined) return signer;
  if (typeof signsAs === 'string' || !Array.isArray(named)) return { ...signer, signsAs };
  return { ...signer, signsAs: signsAs.filter((_, at) => about.some(({ name }) => name === named[at])) };
}

/**
 * Requires that the actor may request signatures on a document if they add or change a step that does so. Such a step uses the rights of the user
 * who linked the document. Errors: 403.
 */
export async function requireRightToSign(
  scope: Scope,
  { documents, steps: before }: Pick<queries.WorkflowRow, 'documents' | 'steps'>,
  steps: readonly queries.StepRow[],
): Promise<void> {
  const given = newSigningSteps(before, steps);
  for (const document of documents) {
    const about = given.filter((step) => documentsOfStep({ documents, steps }, step).includes(document));
    if (about.length > 0) await requireRightToSignDocument(scope, document, about);
  }
}

async function requireRightToSignDocument(
  scope: Scope,
  { linked_document_id: id, linked_by: by }: queries.DocumentRow,
  given: readonly queries.StepRow[],
): Promise<void> {
  const { actor } = scope;
  if (id === null || actor.type === 'system' || actor.id === by) return;
  const document = await readableDocument(scope, id);
  if (
    !document ||
    !mayAskToSign(
      actor,
      document,
      given.some(({ config }) => signersNamed(config) !== undefined),
    )
  )
    throw problems.forbidden(
      'Another user added the document to the workflow. Only that user, the owner of the document or an administrator can add a step that requests signatures.',
    );
}

/** Returns the pending steps that request signatures and are new or changed. */
export function newSigningSteps(before: readonly queries.StepRow[], steps: readonly queries.StepRow[]): queries.StepRow[] {
  const saying = ({ config, assignees, roles }: queries.StepRow) => ({ config, assignees, roles });
  return steps.filter((step) => {
    const was = before.find((one) => one.id === step.id);
    return step.status === 'pending' && asksToSign(step) && !(was && asksToSign(was) && isDeepStrictEqual(saying(was), saying(step)));
  });
}

/**
 * If steps request signatures, requires that an API client has the scope `signatures:write`. Without the scope it could use a step to send mail to
 * any address. Errors: 403 `insufficient_scope`.
 */
export function requireScopeToSign({ actor }: Scope, given: readonly Parameters<typeof asksToSign>[0][]): void {
  if (!('scopes' in actor) || actor.scopes.has('signatures:write') || !given.some(asksToSign)) return;
  throw problems.insufficient_scope(
    'A step that requests signatures needs the scope signatures:write, which the API client does not have. Add the scope to the API client.',
  );
}

/**
 * Requires valid signers in steps. They are checked when the steps are given, because a step that has begun can no longer change. Errors: 422
 * `workflow_steps_invalid`.
 */
export function requireSigners(steps: readonly Pick<queries.StepRow, 'config'>[]): void {
  for (const [index, { config }] of steps.entries()) {
    const wrong = signersError(signersNamed(config) ?? []);
    if (!wrong) continue;
    const pointer = `/steps/${index}/config/signers/${wrong.at}`;
    const name = wrong.at.slice(wrong.at.indexOf('/') + 1);
    throw workflowProblems.workflow_steps_invalid(`${pointer}: ${wrong.reason}.`, {
      errors: [{ name, pointer, reason: wrong.reason, rule: wrong.rule }],
    });
  }
}

/** Returns the signers of a step: those named by email address, or its assignees. With `inTurn` they sign one after another. */
async function signersOf({ db, team }: Scope, { assignees, config }: queries.StepRow): Promise<CreateRequest['signers']> {
  const named = signersNamed(config);
  if (named !== undefined)
    return named.map((one, at) => ({ ...one, ...(config.inTurn === true && one.order === undefined ? { order: at + 1 } : {}) }));
  const people = await db.all(memberContacts, { team, ids: assignees });
  const signers: CreateRequest['signers'] = [];
  for (const [at, id] of assignees.entries()) {
    const email = people.find((person) => person.id === id)?.email;
    const name = (await db.first(fullNameOf, { team, id }))?.name;
    if (email !== undefined && name !== undefined) signers.push({ email, name, ...(config.inTurn === true ? { order: at + 1 } : {}) });
  }
  return signers;
}

const takenBack = new WeakMap<Transaction, Set<string>>();

/**
 * Returns whether the workflow itself ended the signature request in this transaction. The workflow then ignores the
 * event about that end.
 */
export const endsByWorkflow = ({ db }: Pick<Scope, 'db'>, request: string): boolean => takenBack.get(db)?.has(request) === true;

/** Returns the signature requests that these steps wait for. */
export const requestsOf = (steps: readonly queries.StepRow[]): string[] =>
  steps.flatMap((step) => (step.request_id !== null && (step.status === 'active' || step.status === 'failed') ? [step.request_id] : []));

/** Voids the requests of steps that are cancelled or restarted. Requests that all signers have signed are sealed instead. */
export async function takeBackRequests(scope: Scope, requests: readonly string[], reason: string): Promise<void> {
  for (const request of requests) {
    const ended = takenBack.get(scope.db) ?? new Set();
    takenBack.set(scope.db, ended.add(request));
    await voidRequest(scope, request, reason);
  }
}

/** Pauses or resumes the signature requests of a workflow. Signers cannot sign during a pause. */
export async function pauseRequests(scope: Scope, row: queries.WorkflowRow, paused: boolean): Promise<void> {
  for (const request of requestsOf(row.steps.filter(asksToSign))) await pauseRequest(scope, request, paused);
}
