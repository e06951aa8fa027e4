import { defineProblems } from '../../../platform/problems.ts';

export const brandingProblems = defineProblems({
  logo_invalid: {
    status: 422,
    title: 'Invalid logo',
    help: 'Send a complete PNG or JPEG of at most 256 KiB and 2000 × 2000 pixels, as base64. SVG is not accepted because it can contain scripts.',
  },
});
