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
import type { MayMail } from './mail/jobs.ts';
import type { EventListener } from './journal/listeners.ts';
import type { BulkListener } from './journal/record.ts';
import type { Settings, ValuesOf } from './settings.ts';
import type { Scanner } from './storage/scanner.ts';
import type { FileStore } from './storage/storage.ts';
import type { OwnedTable, Tables } from './tables.ts';
import type { QueueState } from './telemetry/metrics.ts';
import type { Tool, ToolDependencies } from './tools.ts';
import type { Typesetter } from './typesetting/typesetter.ts';

/** What a domain is opened with: the running platform, which knows no domain. */
export type Platform = {
  config: PlatformConfig;
  version: string;
  log: Logger;
  database: Database;
  /** Hears notifications of the database. */
  listener: Listener;
  /** The time of day; the database's. */
  clock: () => Date;
  masterKey: MasterKey;
  storage: FileStore;
  /** Looks through files that come from outside, where the operator has a virus scanner. */
  scanner: Scanner | undefined;
  /** Sets documents as PDF. Its processes begin with the first. */
  typesetter: Typesetter;
  metrics: Registry;
  /** Who hears what is recorded, of all domains. */
  listeners: readonly EventListener[];
  /** Announces many events of one type across teams to whoever hears them so. */
  announce: BulkListener;
  /** Every table with its owner. */
  tables: readonly OwnedTable[];
  /** The tools of all domains; loaded when they are asked for. */
  tools: () => Promise<readonly Tool[]>;
  /** Asks to be told which quota of a team is used up. */
  onQuotaExceeded: (hear: (team: string, quota: string) => void) => void;
};

/** Work that is due now and then, once over all nodes. `cron` has five fields, in UTC. */
export type Periodic = { name: string; cron: string; run: (turn: PeriodicRun) => Promise<unknown> };
export type PeriodicRun = { now: Date; isolation: Isolation };

/** Work that goes on as long as the process does, in those that do background work. Starting it answers what stops it. */
export type Worker = { name: string; start: () => Promise<() => Promise<unknown>> };

/** What a domain answers when it is opened. */
export type OpenedDomain<Exports> = {
  /** What it has for the domains that use it. */
  exports: Exports;
  routes?: (app: App) => void;
  /** Addresses that pages of other sites may call. */
  openToSites?: OpenToSites;
  /** Proves the tokens that it issues. */
  verifies?: { audience: Parameters<VerifyToken>[1]; verify: (token: string) => ReturnType<VerifyToken> };
  /** Kinds of work that its acts ask for, each by `openJob`. */
  jobs?: readonly OpenedJob[];
  periodic?: readonly Periodic[];
  workers?: readonly Worker[];
  /** Reads the queues of those workers, for the metrics of each node. */
  readQueues?: () => Promise<readonly QueueState[]>;
  /** Whether a mail about a thing of a team may be sent still, asked when it is: that may be long after it was written. True of what is not its own. */
  mayMail?: MayMail;
  /** Lets go of what it took when it was opened. */
  close?: () => Promise<unknown>;
};

/**
 * Who hears what is recorded, in the transaction of the act, one after the other. All that are `first` hear before all the others,
 * and those that are `last` after them; among each the domains come in the order of the list, which is that of docs/internals/locks.md.
 */
export type Subscriptions = { first?: readonly EventListener[]; usual?: readonly EventListener[]; last?: readonly EventListener[] };

type Used = Readonly<Record<string, Domain>>;

/**
 * What a domain says of itself, in its `index.ts`; `src/domains.ts` lists all of them. What puts the service together knows
 * no domain by name.
 */
export type Domain<Exports = unknown, Config extends object = object> = {
  name: string;
  /** The domains that its files may import, by `#name`, and whose exports it is opened with. */
  uses: Used;
  settings: Settings;
  /** Decides what follows from several settings. Throws a `ConfigError`. */
  settle(read: never, platform: PlatformConfig): Config;
  /** The tables it owns, in the order in which rows of theirs can be made. */
  tables: Tables;
  /** The columns that hold what is sealed under the master key. */
  sealed: readonly SealedColumn[];
  subscribes: Subscriptions;
  /** Hears events that are announced across teams, many at once. */
  subscribesBulk: readonly BulkListener[];
  /** What it says of its operations in the description of the API; loaded when that is asked for. */
  description: () => Promise<{ description: DomainText }>;
  /** Its operations that programs with a model call; loaded when they are asked for. */
  tools: (deps: ToolDependencies) => Promise<readonly Tool[]>;
  /** What is sent to receivers elsewhere, for the description of the API. */
  sends(): readonly AnnouncedEvent[];
  open(platform: Platform, uses: never, config: never): OpenedDomain<Exports> | Promise<OpenedDomain<Exports>>;
};

type ExportsOf<Uses extends Used> = { [Name in keyof Uses]: Uses[Name] extends Domain<infer Exports, infer _> ? Exports : never };
export type ConfigOf<D extends Domain> = D extends Domain<infer _, infer Config> ? Config : never;

/** Declares a domain. What it does not name it does not have. */
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
