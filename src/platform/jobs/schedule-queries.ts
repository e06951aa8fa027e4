/** The schema of the job library. */
export const schema = 'chancery_jobs';

/** How many of the named schedules are there, and the seconds since a node last looked at them. Run by the library's connection. */
export const schedulesThere = `SELECT count(*)::int AS there, (SELECT extract(epoch FROM now() - cron_on)::float8 FROM ${schema}.version) AS age
  FROM ${schema}.schedule s JOIN ${schema}.queue q ON q.name = s.name WHERE s.name = ANY ($1)`;
