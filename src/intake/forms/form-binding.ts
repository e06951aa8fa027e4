/** The binding of a published form version to a registry. */
export type FormBinding = {
  registryId: string;
  /** The member or API client whose rights apply. They are checked at each look-up and each submission. */
  boundBy: string;
  /** The time of the binding. It ends when the member leaves the team, even if the member returns. */
  boundAt: string;
  /** The fields that were public at publication, or `null` if the form shows no records. */
  shown: string[] | null;
  /** The form fields that fill the fields of a new record, or `null` if the form creates none. */
  written: Record<string, string> | null;
  /** The fields that outputs of the form fill in. Absent if none does. */
  filled?: string[];
};
