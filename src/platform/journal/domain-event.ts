/** An event as it is kept: `body` is the serialised envelope, the exact bytes that deliveries send and sign. */
export type RecordedEvent = { id: string; type: string; teamId: string; timestamp: string; body: Buffer };

/**
 * An event as listeners hear it. `targetId` is the thing acted on, and `data` what the type says of it: never cut, and with the
 * texts of what stands behind a barrier, which listeners write nowhere that others read.
 */
export type DomainEvent<Data = unknown> = RecordedEvent & { targetId: string; data: Data };
