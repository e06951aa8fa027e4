import { desk } from './example-data.ts';
import { glossary } from './glossary.ts';
import type { DomainText } from './texts.ts';

/** The operations that belong to no domain. */
export const description: DomainText = {
  members: glossary,
  operations: {
    getHealth: {
      text: 'Answers as soon as the process serves requests, and asks nothing of the database: what an orchestrator restarts a process by. Nothing is counted against the limit of an address.',
      answer: { status: 'ok' },
    },
    getReadiness: {
      text: 'Answers 200 while requests can be served: the database is reached and migrated, and the keys are there. Otherwise it is 503 `unavailable`, and `detail` says what is missing. A load balancer asks this one, since a process that is up may still wait for its database. While background work is stopped, a node that serves requests answers 200 with the status `degraded` and a `reason`; a worker answers 503.',
      answer: { status: 'ok' },
    },
    listDevelopmentMails: {
      text: 'Lists the mails that were written while no mail server is configured, with the codes and links in them, so that a program can go through a registration by itself. The operation exists in development alone: in production it is 404.',
      answer: [
        {
          to: desk.priya.email,
          subject: 'Your code for Chancery',
          text: 'Your code is 428913. It is good for ten minutes.',
          html: '<p>Your code is <b>428913</b>. It is good for ten minutes.</p>',
          at: desk.monday,
        },
      ],
    },
  },
};
