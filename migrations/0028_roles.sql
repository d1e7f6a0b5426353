-- More roles for the central's own people.

alter table users drop constraint users_role_known;
alter table users add constraint users_role_known check (
  role in ('operator', 'supervisor', 'finance', 'attendant', 'viewer', 'integrator', 'manager', 'driver')) not valid;
comment on column users.role is
  'What each may do is one table in server/src/centrals/permissions.ts. A manager sees one company, a driver what is offered to or carried by that driver, the others the whole central.';
