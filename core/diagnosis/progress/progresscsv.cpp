#include "diagnosis/progress/progresscsv.h"

namespace rankdeck
{

/// Precision of the values that are kept.
constexpr int digits = 7;

static QByteArray numberText(float number)
{
    return QByteArray::number(double(number), 'g', digits);
}

static void add(QByteArray &csv, int rank, const char *quantity, const ValueSeries &series)
{
    for (int bucket = 0; bucket < series.size(); ++bucket) {
        const ValueSeries::Bucket &values = series.at(bucket);
        if (values.isEmpty())
            continue;
        QByteArrayList fields{QByteArray::number(rank), quantity, QByteArray::number(series.stepOf(bucket)),
                              QByteArray::number(series.stepOf(bucket + 1) - 1)};
        if (values.count > 0)
            fields << numberText(values.least) << numberText(values.most) << numberText(values.last);
        else
            fields << QByteArray() << QByteArray() << QByteArray();
        fields << QByteArray::number(values.count) << QByteArray::number(values.odd);
        csv += fields.join(',') + '\n';
    }
}

QByteArray progressCsv(const LaunchPlan &plan, const ProgressCurves &curves)
{
    QByteArray csv = "rank,quantity,first_step,last_step,min,max,last,values,not_numbers\n";
    for (const ProgressCurves::Curve &curve : curves.curves) {
        const int rank = plan.processes.at(std::size_t(curve.process)).rank.value;
        add(csv, rank, "loss", curve.loss);
        add(csv, rank, "step_time_ms", curve.stepTime);
    }
    return csv;
}

} // namespace rankdeck
