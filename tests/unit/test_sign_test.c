#include "unit.h"

#include "core/time/sign_test.h"

#include <math.h>

/* Binomial tables. */
TEST(a_sign_test_has_the_probabilities_of_a_fair_coin)
{
    CHECK(sign_test_p(0, 0) == 1);
    CHECK(fabs(sign_test_p(5, 0) - 0.0625) < 1e-9);
    CHECK(fabs(sign_test_p(0, SIGN_TEST_MIN) - 0.03125) < 1e-9);
    CHECK(fabs(sign_test_p(8, 2) - 0.109375) < 1e-9);
    CHECK(fabs(sign_test_p(15, 5) - 0.04138947) < 1e-7);
    CHECK(sign_test_p(10, 10) == 1);
    CHECK(sign_test_p(11, 9) < 1 && sign_test_p(11, 9) > 0.82);
}

TEST(a_sign_test_of_many_pairs_does_not_underflow)
{
    CHECK(fabs(sign_test_p(5100, 4900) - 0.0466) < 0.0005);
    CHECK(sign_test_p(100000, 0) >= 0 && sign_test_p(100000, 0) < 1e-9);
}
