#include "firefox.h"

void firefox_column(struct firefox *f, const char *key, size_t rows, firefox_cell *add)
{
    json_array(&f->j, key);
    for (size_t i = 0; i < rows; i++)
        add(f, i);
    json_array_end(&f->j);
}

void firefox_table_open(struct firefox *f, const char *key, size_t rows)
{
    json_object(&f->j, key);
    json_u64(&f->j, "length", rows);
}

void firefox_table(struct firefox *f, const char *key, size_t rows,
                   const struct firefox_column *column)
{
    firefox_table_open(f, key, rows);
    for (; column->key; column++)
        firefox_column(f, column->key, rows, column->cell);
    json_object_end(&f->j);
}

void firefox_null(struct firefox *f, size_t row)
{
    (void)row;
    json_null(&f->j, NULL);
}

void firefox_zero(struct firefox *f, size_t row)
{
    (void)row;
    json_u64(&f->j, NULL, 0);
}

void firefox_false(struct firefox *f, size_t row)
{
    (void)row;
    json_bool(&f->j, NULL, false);
}

void firefox_row(struct firefox *f, size_t row)
{
    json_u64(&f->j, NULL, row);
}

void firefox_string(struct firefox *f, const char *text)
{
    json_u64(&f->j, NULL, intern_string(&f->tables.strings, text));
}

void firefox_number(struct firefox *f, uint32_t number)
{
    if (number == STACKS_NONE)
        json_null(&f->j, NULL);
    else
        json_u64(&f->j, NULL, number);
}
