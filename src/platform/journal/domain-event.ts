/** A stored event. `body` is the serialized envelope: the exact bytes that deliveries send and sign. */
export type RecordedEvent = { id: string; type: string; teamId: string; timestamp: string; body: Buffer };

/**
 * An event for listeners. `targetId` is its resource, and `data` its complete details, including
 * texts of resources with a barrier. Listeners must not store these texts where other members can read them.
 */
export type DomainEvent<Data = unknown> = RecordedEvent & { targetId: string; data: Data };
