/** What a published version has of a registry. */
export type FormBinding = {
  registryId: string;
  /** By whose right: looked at again with each look-up and each submission. */
  boundBy: string;
  /** When: who has left the team since has bound nothing any more, also when they come back. */
  boundAt: string;
  /** The fields that were public when it was published; null where the form shows no records. */
  shown: string[] | null;
  /** The answers that the fields of a new record take; null where it makes none. */
  written: Record<string, string> | null;
};
