-- A team that has announced more than it may has its deliveries put off when they are queued: no pace is kept for it.
DROP TABLE webhook_team_pace;
