/** A thing with the version that its ETag names; without a version, whoever looks at it changes nothing of it. */
export type Versioned<T> = { value: T; version: number | undefined };

/** Compares `If-Match` with the version that there is, under the lock of the row. Throws 412 `precondition_failed`. */
export type VersionCheck = (version: number) => void;
