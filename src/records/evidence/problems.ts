import { defineProblems } from '../../platform/problems.ts';

export const evidenceProblems = defineProblems({
  evidence_not_ready: {
    status: 409,
    title: 'The evidence pack is not ready',
    help: 'The pack is in progress, or it has failed. Read its `status`, and download the file when it is `ready`.',
  },
  evidence_in_progress: {
    status: 429,
    title: 'Too many evidence packs in progress',
    help: 'A team has two packs in progress at a time. Wait until one has ended, then send the request again.',
  },
  evidence_limit_reached: {
    status: 429,
    title: 'Daily limit of evidence packs reached',
    help: 'You may request five packs in 24 hours. Each is available for a day: download an existing one, or send the request again tomorrow.',
  },
});
