/**
 * How the code that purges, moves, finds and exports rows treats a table. The domain that owns the table declares it; other
 * domains do not use the table in SQL. test/tables.test.ts compares all declarations with the migrated schema.
 */
export type Table = {
  /**
   * Whether the rows of a team are erased 30 days after the team was closed, or stay because the journal refers to their identifiers. A table without
   * rows of a team has nothing to erase.
   */
  purge: 'erased' | 'kept' | 'of no team';
  /** A legal hold protects the rows. While it applies, no purge, bin, retention or erasure request deletes them. */
  legalHold: boolean;
  /** SQL condition for a row that is an active legal hold. In a closed team with an active hold, the rows under the hold stay. */
  holds?: string;
  /** SQL condition for a row that counts as content. A team with content is not closed when its last member leaves. */
  content?: string;
  /** References to people in the rows; if unset, there are none. */
  people?: People;
  /**
   * The file that a row refers to. Every night the storage deletes files without a row, and a purge deletes the files of the team.
   * A table with files must declare this, or it loses them.
   */
  file?: TableFile;
  /** The binary columns that an export of a team has. It leaves out all others, because they are keys, hashes and encrypted values. */
  exportedBytes?: readonly string[];
  /** The text columns with secrets, which an export of a team leaves out. */
  secretText?: readonly string[];
  /** The reason why an export of a team leaves out the rows. */
  leftOut?: string;
};

/** `key` is the indexed column with the storage key of the file. `of` are the columns that identify the row for people. */
export type TableFile = { key: string; of: readonly string[] };

export type People = {
  /** Columns that find the rows of one person: identifiers, and email addresses if there is no account. */
  by: readonly string[];
  /** The reason why the rows stay when the person leaves the team. */
  leaving: { stays: string };
  /** Whether an export of personal data includes the rows: data of or from the person, not rows that only mention them. */
  exported: boolean;
  /** Effect of an erasure of personal data: it deletes the rows, clears personal columns, or keeps the rows, with the reason. */
  erasure: 'deleted' | 'emptied' | { stays: string };
};

/** The tables of one owner by name. Each table follows those that its foreign keys reference; rows are erased in reverse order. */
export type Tables = Readonly<Record<string, Table>>;

/** A table with its owner: a domain or the platform. */
export type OwnedTable = { name: string; owner: string; table: Table };

/** The declaration of a table without a team and without references to people. */
export const ofTheService: Table = { purge: 'of no team', legalHold: false };

/** The declaration of a table that depends on content of a team or counts its usage, without references to people. */
export const ofTheTeam: Table = { purge: 'erased', legalHold: false };

/** The declaration of references by identifier only, in the journal or in work of the person. The name is in the account. */
export const namedById = { stays: 'only an identifier, without a name after the account is erased' } as const;

/** The declaration of columns with identifiers of people, in rows that stay when these people leave. */
export const namedBy = (by: readonly string[], what: string): People => ({
  by,
  leaving: { stays: what },
  exported: false,
  erasure: namedById,
});

/** The tables of the platform. */
export const platformTables: Tables = {
  migration: ofTheService,
  service_state: ofTheService,
  kept_key: ofTheService,
  quota_default: ofTheService,
  team_quota: ofTheTeam,
  team_usage: ofTheTeam,
  team_budget: ofTheTeam,
  job: { ...ofTheTeam, leftOut: 'work of the service' },
  job_schedule: ofTheService,
  job_worker: ofTheService,
  job_failure: ofTheTeam,
  idempotent_response: {
    ...ofTheTeam,
    leftOut: 'encrypted copies of responses, deleted after a day',
    people: { by: ['actor_id'], leaving: { stays: 'deleted after a day' }, exported: false, erasure: { stays: 'deleted after a day' } },
  },
  event: { ...ofTheTeam, leftOut: 'the journal has the same changes' },
  mail_message: {
    // Mails about accounts have no team. Sent mails are deleted after their retention period.
    purge: 'of no team',
    legalHold: false,
    leftOut: 'mails have links with tokens',
    people: { by: ['recipient'], leaving: { stays: 'deleted after its retention period' }, exported: true, erasure: 'deleted' },
  },
  // Contains hashes of addresses, for at most a year.
  undeliverable_address: ofTheTeam,
  // Contains hashes of addresses for one day.
  visitor_mail: ofTheService,
};
