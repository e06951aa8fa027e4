/** Periodic deletion: answers after their retention period, and expired data of visitors. */
export { dropLeftovers, dropUnconfirmed, retention } from './jobs.ts';
