import { defineProblems } from '../../../platform/problems.ts';

export const suspensionProblems = defineProblems({
  interface_suspended: {
    status: 409,
    title: 'Interface already suspended',
    help: 'Staff suspended it before. It accepts nothing until staff resume it.',
  },
  interface_not_suspended: {
    status: 409,
    title: 'Interface not suspended',
    help: 'You can resume only an interface that staff suspended.',
  },
});
