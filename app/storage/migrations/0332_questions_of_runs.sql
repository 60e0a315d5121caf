-- What a run asks is told like a reminder, until it is answered.
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in ('reminder', 'briefing', 'question'));
