/** A column encrypted with the master key. The ciphertext is bound to a text that is derived from the primary key. */
export type SealedColumn = {
  table: string;
  column: string;
  /** The columns of the primary key in order, with their types. */
  key: Readonly<Record<string, 'uuid' | 'text'>>;
  purpose: string;
  boundTo: (key: Readonly<Record<string, string>>) => string;
};
