import { Readable } from 'node:stream';
import { applyMapping, holds, plainText, type MappingValues, valueOfSource, valuesOfSubmission, localesOf } from '#fields';
import { createSubmittedRecord } from '#registries';
import { createFromTemplate, setWorkflowLocale, startWorkflow } from '#workflows';
import { Type } from 'typebox';
import type { Logger } from 'pino';
import type { Database } from '../../../platform/database/database.ts';
import { databaseProblem, isDatabaseUnavailable } from '../../../platform/database/errors.ts';
import { defineJob, enqueue, type JobAttempt, type JobResult } from '../../../platform/jobs/job.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import { refusalOf } from '../../../platform/limits/quotas.ts';
import { type Problem, problems, reasonOf } from '../../../platform/problems.ts';
import type { Actor, Scope } from '../../../platform/scope.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { keepFile } from '../../../platform/storage/store-file.ts';
import { nameFrom } from '../../../platform/text.ts';
import { notifyOfFailures } from '../mails/index.ts';
import { lockSubmission } from '../queries.ts';
import { actionGrantor, requireScopesOf } from '../submission-actions.ts';
import { titleOf } from '../submission-title.ts';
import { recordFailures } from '../submit/failures.ts';
import { requireSameState } from '../template.ts';
import * as queries from './queries.ts';
import type { Output } from './schemas.ts';
import type { TemplatesForForms } from './templates.ts';

export type MakingOutputs = {
  database: Database;
  listeners: readonly EventListener[];
  storage: Storage;
  clock: () => Date;
  log: Pick<Logger, 'error'>;
  templates: () => TemplatesForForms;
};

const requestId = 'submission-outputs';
const maxBytes = 64 * 1024 * 1024;

/** Stores the outputs of a submission in its transaction. A job makes them after the commit. */
export function awaitOutputs(scope: Scope, submission: string, outputs: readonly Output[] | undefined): void {
  if (outputs === undefined || outputs.length === 0) return;
  const rows = outputs.map(({ id, make, needs = [], documents = [] }, place) => ({
    output_id: id,
    place,
    make,
    needs: [...new Set([...needs, ...documents])],
  }));
  scope.db.send(queries.insertOutputs, { team: scope.team, id: submission, outputs: JSON.stringify(rows), at: scope.now });
  enqueue(scope, outputsJob, { submission });
}

/** Lets failed outputs run again. Returns their ids. */
export async function retryOutputs(scope: Scope, submission: string): Promise<string[]> {
  const again = await scope.db.all(queries.retryOutputs, { team: scope.team, id: submission, at: scope.now });
  if (again.length > 0) enqueue(scope, outputsJob, { submission });
  return again.map(({ output_id: id }) => id);
}

/**
 * Makes the outputs of a submission in their order, each in its own transaction, which also stores the result. After a crash it continues with the
 * first output that has none. Uses the rights of the member who published the outputs.
 */
export const outputsJob = defineJob(
  'submission-outputs',
  Type.Object({ submission: Type.String() }),
  { retries: 10, backoff: { first: 5, factor: 3, most: 600 }, timeout: 120, concurrency: 2, counted: false },
  async (making: MakingOutputs, { submission: id }: { submission: string }, { team, signal }: JobAttempt): Promise<JobResult> => {
    if (team === undefined) return undefined;
    const reader = making.database.reader(team);
    while (!signal.aborted) {
      const next = await reader.first(queries.nextOutput, { team, id });
      const found = next && (await reader.first(queries.submissionToMake, { team, id }));
      const output = next && found?.definition.config.then?.find((one) => one.id === next.output_id);
      if (!found || !output) return undefined;
      const later = await makeOne(new OutputRun(making, team, id, found, output), next.attempts);
      if (later !== undefined) return { later };
    }
    return { later: making.clock() };
  },
);

/** The attempts of an output that limits delay, and the seconds between them. */
const delays = { most: 30, first: 10, longest: 3_600 };

/** Makes one output and stores its result. Returns the time of the next attempt if a limit of the team or of this node delays it. */
async function makeOne(run: OutputRun, attempts: number): Promise<Date | undefined> {
  try {
    await run.make();
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    const problem = refusalOf(error) ?? databaseProblem(error);
    const isLimit = problem?.status === 429 || problem?.status === 503;
    if (problem && isLimit && attempts + 1 < delays.most)
      return run.delay(problem, Math.min(delays.first * 2 ** Math.min(attempts, 20), delays.longest));
    await run.fail(problem, error);
  }
  return undefined;
}

/** One output of a submission. */
class OutputRun {
  readonly #making: MakingOutputs;
  readonly #team: string;
  readonly #id: string;
  readonly #found: queries.SubmissionToMake;
  readonly #output: Output;
  readonly #values: MappingValues;

  constructor(making: MakingOutputs, team: string, id: string, found: queries.SubmissionToMake, output: Output) {
    this.#making = making;
    this.#team = team;
    this.#id = id;
    this.#found = found;
    this.#output = output;
    const locales = localesOf(found.definition);
    const { fields } = found.definition;
    this.#values = valuesOfSubmission(
      { fields, locales },
      { id, at: new Date(found.created_at), locale: found.locale ?? locales[0], values: found.data, records: found.records },
    );
  }

  async make(): Promise<void> {
    const { make, when } = this.#output;
    if (when !== undefined && !holds(when, this.#values.valueOf)) {
      await this.#inTransaction({ type: 'system' }, (scope) => this.#settle(scope, 'skipped', null));
      return;
    }
    const { database, clock } = this.#making;
    const db = database.reader(this.#team);
    const { interface_id: form, owner_id, uses_by } = this.#found;
    const grantor = await actionGrantor({ db, team: this.#team }, { id: form, owner_id, uses_by });
    if (!grantor)
      throw problems.forbidden('The member who published this output can no longer read submissions of the form. Publish the form again.');
    requireScopesOf(grantor, [this.#output]);
    if (make === 'document') await this.#makeDocument(grantor, { db, team: this.#team, actor: grantor, now: clock(), requestId });
    else
      await this.#inTransaction(grantor, async (scope) =>
        this.#settle(scope, 'done', await (make === 'workflow' ? this.#startWorkflow(scope) : this.#createRecord(scope))),
      );
  }

  /** Stores the reason of a delay. Returns the time of the next attempt. */
  async delay(problem: Problem, seconds: number): Promise<Date> {
    const next = new Date(this.#making.clock().getTime() + seconds * 1_000);
    await this.#inTransaction({ type: 'system' }, async ({ db, team, now: at }) => {
      const row = { team, id: this.#id, output: this.#output.id, code: problem.code, detail: reasonOf(problem), next, at };
      return (await db.first(queries.delayOutput, row)) !== undefined;
    });
    return next;
  }

  /** Stores a failure, and notifies the members of the form. */
  async fail(problem: Problem | undefined, error: unknown): Promise<void> {
    const { interface_id: interfaceId } = this.#found;
    const { id: output, make } = this.#output;
    if (!problem) this.#making.log.error({ err: error, output, submission: this.#id }, 'an output of a submission failed');
    const code = problem?.code ?? 'internal_error';
    const detail = problem ? reasonOf(problem) : 'Internal error. Retry the submission; if it fails again, contact the operator.';
    await this.#inTransaction({ type: 'system' }, async (scope) => {
      const isSettled = await this.#settle(scope, 'failed', null, { code, detail });
      if (!isSettled) return false;
      await recordFailures(scope, { id: this.#id, interfaceId, failed: [{ kind: make, code }] });
      await notifyOfFailures(scope, interfaceId);
      return true;
    });
  }

  async #makeDocument(grantor: Actor, reading: Parameters<TemplatesForForms['render']>[0]): Promise<void> {
    const { templateId = '', values = {}, id } = this.#output;
    const templates = this.#making.templates();
    const template = { id: templateId, version: Number(this.#found.outputs[id]) };
    const { pdf, places } = await templates.render(reading, template, applyMapping(values, this.#values));
    await keepFile(this.#making.storage, { bytes: Readable.from([pdf]), maxBytes }, (file) =>
      this.#inTransaction(grantor, async (scope) => {
        const document = { template, file, places, title: this.#title(), folderId: this.#found.folder_id, submissionId: this.#id };
        return this.#settle(scope, 'done', await templates.create(scope, document));
      }),
    );
  }

  async #startWorkflow(scope: Scope): Promise<string> {
    const { template = '', parameters = {}, documents = [], id } = this.#output;
    const rows = await scope.db.all(queries.outputsOf, { team: scope.team, id: this.#id });
    const named = documents.flatMap((name) => {
      const documentId = rows.find((row) => row.output_id === name)?.result_id;
      return typeof documentId === 'string' ? [{ name, documentId }] : [];
    });
    const omitted = documents.filter((name) => rows.some((row) => row.output_id === name && row.status === 'skipped'));
    const seen = this.#found.outputs[id];
    const { value } = await createFromTemplate(
      scope,
      template,
      {
        // Without a document, the workflow refers to the submission by its identifier.
        ...(named.length > 0 ? { documents: named } : { documentId: this.#id }),
        name: this.#title(),
        submissionId: this.#id,
        omittedDocuments: omitted,
        parameters: applyMapping(parameters, this.#values) as Record<string, string | number | boolean>,
      },
      (state) => requireSameState(scope, { name: template, grantor: scope.actor, seen: typeof seen === 'string' ? seen : null }, state),
    );
    if (this.#found.locale !== null) setWorkflowLocale(scope, value.id, this.#found.locale);
    await startWorkflow(scope, value.id);
    return value.id;
  }

  #createRecord(scope: Scope): Promise<string> {
    const { registryId = '', fields = {}, pending = false } = this.#output;
    const binding = this.#found.bindings.find((one) => one.registryId === registryId.toLowerCase() && one.filled !== undefined);
    if (!binding) throw new Error('a version that creates records has no registry binding');
    return createSubmittedRecord(scope, { ...binding, submissionId: this.#id, data: applyMapping(fields, this.#values), pending });
  }

  /** Returns the title of the mapping if it has a value, or that of the submission. */
  #title(): string {
    const { title } = this.#output;
    const given = nameFrom(title && plainText(valueOfSource(title, this.#values)));
    return given ?? titleOf({ definition: this.#found.definition, at: new Date(this.#found.created_at), id: this.#id });
  }

  /** Runs work in a transaction under the lock of the submission. It does nothing if the output was settled or the submission erased. */
  #inTransaction(actor: Actor, work: (scope: Scope) => Promise<boolean>): Promise<boolean> {
    const { database, listeners, clock } = this.#making;
    const team = this.#team;
    return database.inTeam(team, async (db) => {
      const at = { team, id: this.#id };
      const current = await db.locked(lockSubmission, { id: this.#id }, () => db.first(queries.submissionToMake, at));
      const rows = await db.all(queries.outputsOf, at);
      if (!current || !rows.some((row) => row.output_id === this.#output.id && row.status === 'waiting')) return false;
      return work({ db, team, actor, recordedAs: { type: 'system' }, now: clock(), requestId, listeners });
    });
  }

  async #settle(
    scope: Scope,
    status: 'done' | 'skipped' | 'failed',
    result: string | null,
    { code = null, detail = null }: { code?: string | null; detail?: string | null } = {},
  ): Promise<boolean> {
    const row = { team: scope.team, id: this.#id, output: this.#output.id, status, result, code, detail, at: scope.now };
    return (await scope.db.first(queries.settleOutput, row)) !== undefined;
  }
}
