import { defineProblems } from '../../platform/problems.ts';

export const evidenceProblems = defineProblems({
  evidence_not_ready: {
    status: 409,
    title: 'The file of the pack is not there',
    help: 'The pack is being written, or it has failed. Read how far it is, and fetch the file once its `status` is `ready`.',
  },
  evidence_in_progress: {
    status: 429,
    title: 'Packs of evidence are being written',
    help: 'Two are written at a time for a team. Wait until one has ended, and send the request again.',
  },
  evidence_limit_reached: {
    status: 429,
    title: 'You have asked for as many packs of evidence as a day has',
    help: 'Each is kept for a day: fetch one that is there, or ask again tomorrow.',
  },
});
