import { defineProblems } from '../../../platform/problems.ts';

export const suspensionProblems = defineProblems({
  interface_suspended: {
    status: 409,
    title: 'The interface is suspended already',
    help: 'Staff have suspended it before: it takes nothing until it is resumed.',
  },
  interface_not_suspended: {
    status: 409,
    title: 'The interface is not suspended',
    help: 'Only one that staff have suspended is resumed.',
  },
});
