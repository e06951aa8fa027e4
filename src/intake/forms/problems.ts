import { bookingProblems } from '#bookings';
import { defineProblems } from '../../platform/problems.ts';

const own = defineProblems({
  interface_not_found: {
    status: 404,
    title: 'There is no such form',
    help: 'The link is wrong, was replaced, or its form is gone. Ask whoever sent it to you for the current link.',
  },
  interface_full: {
    status: 409,
    title: 'The form has as many answers as it takes',
    help: 'The form takes a limited number of answers, and has them. Ask whoever sent you the link.',
  },
  suggestions_disabled: {
    status: 404,
    title: 'The form asks for no address',
    help: 'Addresses are suggested for forms that have a field of the type `address`. This one has none.',
  },
  draft_changed: {
    status: 409,
    title: 'The draft has changed',
    help: 'Somebody has changed the draft since you read it. Read it again, and publish or change it with its `revision` of now.',
  },
  template_changed: {
    status: 409,
    title: 'The workflow template is another by now',
    help: 'The form starts a workflow by a template of the team that has been changed since, by somebody other than owner, administrators and whoever set this. Look at its steps, publish the form again if they are right, and try again what failed.',
  },
  interface_not_published: {
    status: 409,
    title: 'The interface is not published',
    help: 'The operation is for an interface that the public can see. Publish it first.',
  },
  interface_invalid: {
    status: 422,
    title: 'The definition is not whole',
    help: 'The definition of the form cannot be used as it is; `errors` names each member with what is wrong.',
  },
});

/** The same code is answered where a booking is to be moved, which the bookings do. */
export const interfaceProblems = { ...own, interface_closed: bookingProblems.interface_closed };
