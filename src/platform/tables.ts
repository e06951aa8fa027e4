/**
 * What a table is to those who erase, move, find and export rows. The domain that owns the table says so, and no other
 * domain's SQL names it. test/tables.test.ts compares all of them with the migrated schema.
 */
export type Table = {
  /**
   * What becomes of the rows of a team 30 days after it was closed: they are erased, or kept because its journal names what
   * they identify. A table without rows of a team has nothing to erase.
   */
  purge: 'erased' | 'kept' | 'of no team';
  /** A legal hold keeps the rows: while it stands, no purge, bin, retention or request for erasure deletes them. */
  legalHold: boolean;
  /** The condition under which a row is a legal hold that stands: while a closed team has one, what holds keep is not erased. */
  holds?: string;
  /** The condition under which a row is content, that a team would miss: a team with content is not closed with its last person. */
  content?: string;
  /** The people whom a row names; a table without this names nobody. */
  people?: People;
  /**
   * The file that a row refers to. What no row refers to is removed from the storage every night, and the files of a team go
   * when it is purged: a table that does not say so here loses its files.
   */
  file?: TableFile;
};

/** `key` is the column with the file's key in the storage, indexed; `of` are the columns that tell people which row it is. */
export type TableFile = { key: string; of: readonly string[] };

export type People = {
  /** Columns by which the rows of one person are found: identifiers, and addresses where there is no account. */
  by: readonly string[];
  /** What becomes of the rows when the person goes to another team or is removed: they follow, or stay for the reason given. */
  leaving: 'follows' | { stays: string };
  /** Whether a copy of a person's data has them: what is the person's own or was given by them, not what merely mentions them. */
  exported: boolean;
  /** What erasing a person's data does: deletes the rows, empties what tells something of the person, or nothing, for the reason given. */
  erasure: 'deleted' | 'emptied' | { stays: string };
};

/** The tables of one owner by name, each after those that its foreign keys name: rows are erased from the last to the first. */
export type Tables = Readonly<Record<string, Table>>;

/** A table with the domain that owns it, or the platform. */
export type OwnedTable = { name: string; owner: string; table: Table };

/** A table that belongs to no team and names nobody. */
export const ofTheService: Table = { purge: 'of no team', legalHold: false };

/** What hangs on content or keeps the books of a team, and names nobody. */
export const ofTheTeam: Table = { purge: 'erased', legalHold: false };

/** Identifies somebody in the journal or in what they did; it says nothing else about them, and their name stands in their account. */
export const namedById = { stays: 'an identifier without a name once the account is emptied' } as const;

/** People whom columns name by their identifiers, in rows that stay when they leave. */
export const namedBy = (by: readonly string[], what: string): People => ({
  by,
  leaving: { stays: what },
  exported: false,
  erasure: namedById,
});

/** What the platform itself keeps. */
export const platformTables: Tables = {
  migration: ofTheService,
  service_fact: ofTheService,
  kept_key: ofTheService,
  quota_default: ofTheService,
  team_quota: ofTheTeam,
  team_usage: ofTheTeam,
  team_budget: ofTheTeam,
  job: ofTheTeam,
  job_schedule: ofTheService,
  job_worker: ofTheService,
  job_trouble: ofTheTeam,
  idempotent_answer: {
    ...ofTheTeam,
    people: { by: ['actor_id'], leaving: { stays: 'goes after a day' }, exported: false, erasure: { stays: 'goes after a day' } },
  },
  event: ofTheTeam,
  mail_message: {
    // Those about accounts have no team; what was sent goes after its days.
    purge: 'of no team',
    legalHold: false,
    people: { by: ['recipient'], leaving: { stays: 'goes after its days' }, exported: true, erasure: 'deleted' },
  },
  // Hashes of addresses, for a day.
  visitor_mail: ofTheService,
};
