/** The sums that the triggers of `usage_templates` would produce, for rows written without them. */
export const usageSumsOfHistory = [
  `insert into usage_sums (account_id, span, template_id, count)
    select account_id, day, template_id, sum(count) from usage_templates group by 1, 2, 3`,
  `insert into usage_sums (account_id, span, template_id, count)
    select account_id, span, '', sum(count) from usage_sums group by 1, 2`,
  `insert into usage_sums (account_id, span, template_id, count)
    select account_id, substr(span, 1, 7), template_id, sum(count) from usage_sums where template_id <> '' group by 1, 2, 3`,
]
