import { defineProblems } from '../../../platform/problems.ts';

export const suspensionProblems = defineProblems({
  interface_suspended: {
    status: 409,
    title: 'Form already suspended',
    help: 'Staff have already suspended this form. The form accepts no answers until staff resume it.',
  },
  interface_not_suspended: {
    status: 409,
    title: 'Form not suspended',
    help: 'You can resume only a form that staff suspended.',
  },
});
