import { bookingProblems } from '#bookings';
import { defineProblems } from '../../platform/problems.ts';

const own = defineProblems({
  interface_not_found: {
    status: 404,
    title: 'Form not found',
    help: 'The link is wrong or was replaced, or the form was deleted. Ask the sender for the current link.',
  },
  interface_full: {
    status: 409,
    title: 'Form full',
    help: 'The form has reached its maximum number of submissions. Ask the sender of the link for help.',
  },
  suggestions_disabled: {
    status: 404,
    title: 'Address suggestions unavailable',
    help: 'Only a form with a field of the type `address` has suggestions. This form has none.',
  },
  draft_changed: {
    status: 409,
    title: 'Draft changed',
    help: 'Another user changed the draft after you read it. Read it again, and publish or change it with its current `revision`.',
  },
  template_changed: {
    status: 409,
    title: 'Workflow template changed',
    help: 'The form starts a workflow from a template. Since the publication, another member changed the template. This member is neither an administrator nor the person who chose the template. Check the steps of the template. If they are right, publish the form again, and retry the failed submission.',
  },
  interface_not_published: {
    status: 409,
    title: 'Form not published',
    help: 'The operation requires a published form. Publish it first.',
  },
  interface_invalid: {
    status: 422,
    title: 'Invalid definition',
    help: 'The definition of the form has errors; `errors` lists each invalid member and the reason.',
  },
});

/** The problems of forms. Bookings use the same codes when a visitor reschedules. */
export const interfaceProblems = { ...own, interface_closed: bookingProblems.interface_closed };
