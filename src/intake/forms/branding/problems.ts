import { defineProblems } from '../../../platform/problems.ts';

export const brandingProblems = defineProblems({
  logo_invalid: {
    status: 422,
    title: 'The logo cannot be taken',
    help: 'A logo is a PNG or JPEG of at most 256 KiB and 2000 × 2000 pixels, whole, as base64. SVG is not taken: it can hold scripts.',
  },
});
