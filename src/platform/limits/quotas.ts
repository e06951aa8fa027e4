import { defineProblems, Problem } from '../problems.ts';
import { sqlDetail } from '../database/errors.ts';
import type { LimitValues } from './settings.ts';

/** A budget of a team: what is counted, and over which time where it comes back by itself. */
export type Quota = {
  unit: string;
  period?: 'second' | 'hour' | 'day';
  /** What it counts, for people. */
  what: string;
  /** How much by default, from the settings. */
  most: (limits: LimitValues) => number;
};

const gibibyte = 1024 ** 3;

/** Every quota of a team, by its name. A part that brings a thing to count adds a row, a setting, and what counts. */
export const quotas = {
  documents: { unit: 'documents', what: 'documents, those in the bin included', most: (limits) => limits.TEAM_DOCUMENTS },
  storage: {
    unit: 'bytes',
    what: 'bytes of all versions of documents, of files that visitors sent, of pictures of templates, and of skills of agents',
    most: (limits) => limits.TEAM_STORAGE_GIB * gibibyte,
  },
  workflows: { unit: 'workflows', what: 'workflows, those that have ended included', most: (limits) => limits.TEAM_WORKFLOWS },
  templates: { unit: 'templates', what: 'workflow templates of its own', most: (limits) => limits.TEAM_TEMPLATES },
  signatureRequests: {
    unit: 'requests',
    what: 'requests for signatures, ended ones included',
    most: (limits) => limits.TEAM_SIGNATURE_REQUESTS,
  },
  documentTemplates: { unit: 'templates', what: 'templates for documents', most: (limits) => limits.TEAM_DOCUMENT_TEMPLATES },
  interfaces: { unit: 'interfaces', what: 'forms and booking forms, deleted ones included', most: (limits) => limits.TEAM_INTERFACES },
  submissions: { unit: 'submissions', what: 'submissions to its forms, those erased included', most: (limits) => limits.TEAM_SUBMISSIONS },
  registries: { unit: 'registries', what: 'registries, those in the bin included', most: (limits) => limits.TEAM_REGISTRIES },
  registryRecords: {
    unit: 'records',
    what: 'records in registries, those in the bin included',
    most: (limits) => limits.TEAM_REGISTRY_RECORDS,
  },
  registryVersions: {
    unit: 'versions',
    what: 'earlier versions of records, which are their history',
    most: (limits) => limits.TEAM_REGISTRY_VERSIONS,
  },
  agents: { unit: 'agents', what: 'AI agents', most: (limits) => limits.TEAM_AGENTS },
  agentSkills: { unit: 'skills', what: 'skills of AI agents', most: (limits) => limits.TEAM_AGENT_SKILLS },
  agentJobs: { unit: 'jobs', what: 'jobs of AI agents', most: (limits) => limits.TEAM_AGENT_JOBS },
  jobsWaiting: { unit: 'jobs', what: 'jobs that wait to be done, such as mails to be sent', most: (limits) => limits.TEAM_JOBS_WAITING },
  mails: { unit: 'mails', period: 'day', what: 'mails sent, apart from those about accounts', most: (limits) => limits.TEAM_MAILS_PER_DAY },
  mailsToOneAddress: {
    unit: 'mails',
    period: 'hour',
    what: 'mails sent to one address',
    most: (limits) => limits.TEAM_MAILS_TO_ADDRESS_PER_HOUR,
  },
  deliveries: {
    unit: 'deliveries',
    period: 'hour',
    what: 'deliveries of events to endpoints',
    most: (limits) => limits.TEAM_DELIVERIES_PER_HOUR,
  },
  suggestions: {
    unit: 'requests',
    period: 'hour',
    what: 'suggestions of addresses that a provider outside is asked for',
    most: (limits) => limits.TEAM_SUGGESTIONS_PER_HOUR,
  },
  writes: { unit: 'requests', period: 'second', what: 'requests that change something', most: (limits) => limits.TEAM_WRITES_PER_SECOND },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as QuotaName[];

/** By the name that came from elsewhere; nothing when there is no such quota. */
export const quotaOf = (name: string): Quota | undefined => (quotas as Record<string, Quota>)[name];

export const quotaProblems = defineProblems({
  quota_exceeded: {
    status: 409,
    title: 'The team has as much as it may',
    help: 'The team has reached a quota; `quota` has its name, usage and limit. The owner and administrators can list all quotas with `GET /api/v1/team/usage`. Delete data that you no longer need; the bin counts until it is purged. Or ask the operator of the service to raise the quota of the team.',
  },
});

const exceeded = 'QX001';

/** The quota that the database refused a change for, with what of it is used. */
export function exceededQuota(error: unknown): { quota: string; used: number; limit: number } | undefined {
  const detail = sqlDetail(error, exceeded);
  return detail === undefined ? undefined : (JSON.parse(detail) as { quota: string; used: number; limit: number });
}

/** What is said of a failure that is somebody's to mend, rather than the service's: a refusal, also for want of a quota. */
export const refusalOf = (error: unknown): Problem | undefined => (error instanceof Problem ? error : quotaProblem(error));

/** What the client is told when a change was refused for want of a quota. */
export function quotaProblem(error: unknown): Problem | undefined {
  const over = exceededQuota(error);
  if (!over) return undefined;
  const { quota, used, limit } = over;
  return quotaProblems.quota_exceeded(
    `Your team has ${used} of at most ${limit} ${quotaOf(quota)?.unit ?? quota} (quota \`${quota}\`), and this request exceeds that. Nothing was changed. Delete data that you no longer need, or ask the operator of the service to raise the quota.`,
    { members: { quota: { name: quota, used, limit } } },
  );
}
