/** What has its time: answers that a form keeps for so many days, and what visitors leave behind. */
export { dropLeftovers, dropUnconfirmed, retention } from './jobs.ts';
