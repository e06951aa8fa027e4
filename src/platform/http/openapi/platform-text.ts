import { desk } from './example-data.ts';
import { glossary } from './glossary.ts';
import type { DomainText } from './texts.ts';

/** The descriptions of operations that belong to no domain. */
export const description: DomainText = {
  members: glossary,
  operations: {
    getHealth: {
      text: 'Responds as soon as the process serves requests, without the database. Use it as the liveness probe of an orchestrator. Requests do not count against the limit of an IP address.',
      answer: { status: 'ok' },
    },
    getReadiness: {
      text: 'Responds 200 while the service can serve requests: the database is reachable and migrated, and the keys exist. Otherwise it responds 503 `unavailable` with the missing part in `detail`. Use it for a load balancer, because a running process can still wait for its database. While background work is stopped, a node that serves requests responds 200 with the status `degraded` and a `reason`. A worker then responds 503.',
      answer: { status: 'ok' },
    },
    listDevelopmentMails: {
      text: 'Lists the mails of a service without a configured mail server, with their codes and links, so that a program can complete a registration. Available in development only; in production it responds 404.',
      answer: [
        {
          to: desk.priya.email,
          subject: 'Your code for Chancery',
          text: 'Your code is 428913. It expires in ten minutes.',
          html: '<p>Your code is <b>428913</b>. It expires in ten minutes.</p>',
          at: desk.monday,
        },
      ],
    },
  },
};
