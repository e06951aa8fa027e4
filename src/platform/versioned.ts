/** A value with the version for its ETag. Without a version, the caller cannot change the resource. */
export type Versioned<T> = { value: T; version: number | undefined };

/** Compares `If-Match` with the current version while the row is locked. Throws 412 `precondition_failed`. */
export type VersionCheck = (version: number) => void;
