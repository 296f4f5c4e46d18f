/* Types of a kernel module, which go on where those of sample.btf end: module.btf is of gcc -g -c module.c;
 * pahole --btf_base sample.btf --btf_encode_detached module.btf module.o. */
struct node;
struct holder {
    struct node *first;
    unsigned held;
    enum { EMPTY, FULL } state;
};
int hold(struct holder *holder, struct node *node, unsigned long times)
{
    holder->first = node;
    holder->held += times;
    return holder->state == FULL;
}
