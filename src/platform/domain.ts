import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { PlatformConfig } from './config.ts';
import type { MasterKey } from './crypto/master-key.ts';
import type { Database } from './database/database.ts';
import type { Listener } from './database/listen.ts';
import type { SealedColumn } from './database/reencrypt.ts';
import type { VerifyToken } from './http/authenticate.ts';
import type { OpenToSites } from './http/cors.ts';
import type { AnnouncedEvent } from './http/openapi/webhook-events.ts';
import type { DomainText } from './http/openapi/texts.ts';
import type { App } from './http/server.ts';
import type { Isolation } from './jobs/isolated-jobs.ts';
import type { OpenedJob } from './jobs/job.ts';
import type { MailBounced, MayMail } from './mail/jobs.ts';
import type { EventListener } from './journal/listeners.ts';
import type { BulkListener } from './journal/record.ts';
import type { Settings, ValuesOf } from './settings.ts';
import type { Scanner } from './storage/scanner.ts';
import type { FileStore } from './storage/storage.ts';
import type { OwnedTable, Tables } from './tables.ts';
import type { QueueState } from './telemetry/metrics.ts';
import type { Tracer } from './telemetry/tracing.ts';
import type { Tool, ToolDependencies } from './tools.ts';
import type { Typesetter } from './typesetting/typesetter.ts';

/** The running platform, which each domain gets when it opens. The platform does not depend on any domain. */
export type Platform = {
  config: PlatformConfig;
  version: string;
  log: Logger;
  database: Database;
  /** Receives notifications from the database. */
  listener: Listener;
  /** Returns the current time of the database. */
  clock: () => Date;
  masterKey: MasterKey;
  storage: FileStore;
  /** The virus scanner for uploaded files, if the operator configured one. */
  scanner: Scanner | undefined;
  /** Renders documents as PDF. Its processes start with the first document. */
  typesetter: Typesetter;
  metrics: Registry;
  /** Creates spans; undefined unless the operator set a collector. */
  tracer: Tracer | undefined;
  /** The event listeners of all domains. */
  listeners: readonly EventListener[];
  /** Announces many events of one type, across teams, to the bulk listeners. */
  announce: BulkListener;
  /** All tables with their owners. */
  tables: readonly OwnedTable[];
  /** Loads the tools of all domains. */
  tools: () => Promise<readonly Tool[]>;
  /** Registers a callback for exceeded team quotas. */
  onQuotaExceeded: (hear: (team: string, quota: string) => void) => void;
};

/** Work that runs on a schedule, on one node at a time. `cron` has five fields, in UTC. */
export type Periodic = { name: string; cron: string; run: (turn: PeriodicRun) => Promise<unknown> };
export type PeriodicRun = { now: Date; isolation: Isolation };

/** Work that runs until the process ends, in processes with background work. `start` returns a function that stops it. */
export type Worker = { name: string; start: () => Promise<() => Promise<unknown>> };

/** The result of opening a domain. */
export type OpenedDomain<Exports> = {
  /** Functions for the domains that use this domain. */
  exports: Exports;
  routes?: (app: App) => void;
  /** Paths that pages of other sites may call. */
  openToSites?: OpenToSites;
  /** Verifies the tokens that the domain issues. */
  verifies?: { audience: Parameters<VerifyToken>[1]; verify: (token: string) => ReturnType<VerifyToken> };
  /** The job kinds of the domain, created with `openJob`. */
  jobs?: readonly OpenedJob[];
  periodic?: readonly Periodic[];
  workers?: readonly Worker[];
  /** Returns the state of the queues of the domain, for the metrics of each node. */
  readQueues?: () => Promise<readonly QueueState[]>;
  /**
   * Returns whether a mail about a resource of a team may still be sent. It is called when the mail is sent, possibly long after it was queued.
   * Returns true for resources of other domains.
   */
  mayMail?: MayMail;
  /** Called when a mail of a team was rejected. */
  mailBounced?: MailBounced;
  /** Releases the resources of the domain. */
  close?: () => Promise<unknown>;
};

/**
 * The event listeners of a domain. They run one after the other, in the transaction of the action: all `first` listeners, then `usual`, then `last`.
 * Within each group they run in the order of the domain list, which is the lock order of docs/internals/locks.md.
 */
export type Subscriptions = { first?: readonly EventListener[]; usual?: readonly EventListener[]; last?: readonly EventListener[] };

type Used = Readonly<Record<string, Domain>>;

/** The manifest of a domain, in its `index.ts`. `src/domains.ts` lists all domains. The code that assembles the service names no domain. */
export type Domain<Exports = unknown, Config extends object = object> = {
  name: string;
  /** The domains that its files may import as `#name`. The domain gets their exports when it opens. */
  uses: Used;
  settings: Settings;
  /** Derives the configuration from several settings. Throws a `ConfigError`. */
  settle(read: never, platform: PlatformConfig): Config;
  /** The tables that the domain owns, in an order in which rows can be inserted. */
  tables: Tables;
  /** The columns that are encrypted with the master key. */
  sealed: readonly SealedColumn[];
  subscribes: Subscriptions;
  /** Listeners for bulk events across teams. */
  subscribesBulk: readonly BulkListener[];
  /** Loads the descriptions of its operations for the API description. */
  description: () => Promise<{ description: DomainText }>;
  /** Loads its operations that are available as tools for language models. */
  tools: (deps: ToolDependencies) => Promise<readonly Tool[]>;
  /** The events that the service sends to webhooks and other receivers, for the API description. */
  sends(): readonly AnnouncedEvent[];
  open(platform: Platform, uses: never, config: never): OpenedDomain<Exports> | Promise<OpenedDomain<Exports>>;
};

type ExportsOf<Uses extends Used> = { [Name in keyof Uses]: Uses[Name] extends Domain<infer Exports, infer _> ? Exports : never };
export type ConfigOf<D extends Domain> = D extends Domain<infer _, infer Config> ? Config : never;

/** Declares a domain. Omitted members are empty. */
export function defineDomain<
  const Uses extends Used = Used,
  const S extends Settings = Settings,
  Config extends object = [Settings] extends [S] ? object : ValuesOf<S>,
  Exports = undefined,
>(
  domain: {
    name: string;
    uses?: Uses;
    settings?: S;
    settle?(read: ValuesOf<S>, platform: PlatformConfig): Config;
    open?(platform: Platform, uses: ExportsOf<Uses>, config: Config): OpenedDomain<Exports> | Promise<OpenedDomain<Exports>>;
  } & Partial<Pick<Domain, 'tables' | 'sealed' | 'subscribes' | 'subscribesBulk' | 'description' | 'tools' | 'sends'>>,
): Domain<Exports, Config> {
  return {
    uses: {},
    settings: {},
    settle: (read) => read,
    tables: {},
    sealed: [],
    subscribes: {},
    subscribesBulk: [],
    description: async () => ({ description: { operations: {} } }),
    tools: async () => [],
    sends: () => [],
    open: () => ({ exports: undefined as Exports }),
    ...domain,
  };
}
